import { permits } from '../platform/permit.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { addDefinition } from './definition.add.ts';
import type { JourneyUpdate } from './journey.contract.ts';
import { lockJourney, requireJourneyVersion } from './journey.lock.ts';

/**
 * Omitted fields are unchanged. New nodes apply to contacts who enter from now on: enrolments in
 * flight finish on the nodes and versions that they entered with.
 */
export async function journeyUpdate(
  scope: ActionScope,
  { id, version, name, nodes }: JourneyUpdate,
): Promise<{ readonly id: string }> {
  const { em, viewer, deps, audit } = scope;
  const journey = await lockJourney(scope, id);
  if (journey.status !== 'DRAFT' && !permits(viewer, 'owner')) reject('FORBIDDEN');
  requireJourneyVersion(journey, version);
  if (journey.status === 'ARCHIVED') reject('JOURNEY_STATUS', { field: ['id'] });
  const before = { name: journey.name, definition: journey.definitionNumber };
  if (name !== undefined) journey.name = name;
  if (nodes !== undefined) {
    journey.definitionNumber += 1;
    await addDefinition(scope, journey, nodes);
  }
  journey.version += 1;
  journey.updatedAt = new Date(deps.clock.nowMs());
  await em.flush();
  await audit({
    action: 'journey.update',
    subjectType: 'journey',
    subjectId: id,
    before,
    after: { name: journey.name, definition: journey.definitionNumber },
  });
  return { id };
}
