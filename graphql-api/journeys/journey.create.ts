import { countOf } from '../platform/database/count-of.ts';
import { oneAtATime } from '../platform/one-at-a-time.ts';
import { workspaceOf } from '../platform/permit.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { addDefinition } from './definition.add.ts';
import type { JourneyCreate } from './journey.contract.ts';
import { Journey } from './journey.entity.ts';

/** Includes archived journeys: enough for several new ones a week for years. */
const JOURNEYS_MAX = 1_000;

/** Creates a draft in the viewer's workspace. No contact enters it until it is activated. */
export async function journeyCreate(
  scope: ActionScope,
  { name, nodes }: JourneyCreate,
): Promise<{ readonly id: string }> {
  const { em, viewer, deps, audit } = scope;
  const workspaceId = workspaceOf(viewer);
  await oneAtATime(scope, `journeys of ${workspaceId}`);
  if ((await countOf(em, Journey, { workspaceId })) >= JOURNEYS_MAX) reject('TOO_MANY_JOURNEYS');
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
