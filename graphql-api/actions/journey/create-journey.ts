import { Journey } from '../../../schema/entities/journey.ts';
import type { JourneyCreate } from '../../../schema/wire/journey.ts';
import { workspaceOf } from '../../access/permit.ts';
import { reject } from '../../rejected.ts';
import { oneAtATime } from '../one-at-a-time.ts';
import type { ActionScope } from '../run-action.ts';
import { addDefinition } from './add-definition.ts';

/** Years of several a week, archived ones included. */
const JOURNEYS_MAX = 1_000;

/** A draft in the viewer's workspace; nobody enters it before it is activated. */
export async function journeyCreate(
  scope: ActionScope,
  { name, nodes }: JourneyCreate,
): Promise<{ readonly id: string }> {
  const { em, viewer, deps, audit } = scope;
  const workspaceId = workspaceOf(viewer);
  await oneAtATime(scope, `journeys of ${workspaceId}`);
  if ((await em.count(Journey, { workspaceId })) >= JOURNEYS_MAX) reject('TOO_MANY_JOURNEYS');
  const now = new Date(deps.clock.nowMs());
  const journey = em.create(Journey, {
    id: deps.newId(),
    workspaceId,
    name,
    createdBy: viewer.userId,
    createdAt: now,
    updatedAt: now,
  });
  await em.persist(journey).flush();
  await addDefinition(scope, journey, nodes);
  await audit({
    action: 'journey.create',
    subjectType: 'journey',
    subjectId: journey.id,
    after: { name, nodes: nodes.map(({ id, kind }) => `${id} (${kind})`) },
  });
  return { id: journey.id };
}
