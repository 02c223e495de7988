import { requestJob } from '../platform/jobs/request-job.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { endArchivedJourney } from './end-archived-journey.job.ts';
import type { JourneyActivate, JourneyId } from './journey.contract.ts';
import {
  changeJourneyStatus,
  currentNodes,
  lockJourney,
  requireJourneyVersion,
} from './journey.lock.ts';
import { pinsForEntry, requireAllPinned } from './snapshot.take.ts';

/** Activates a journey: contacts can enter, and enrolments in flight advance. */
export async function journeyActivate(
  scope: ActionScope,
  { id, version }: JourneyActivate,
): Promise<{ readonly id: string }> {
  const journey = await lockJourney(scope, id);
  requireJourneyVersion(journey, version);
  if (journey.status === 'ACTIVE') return { id };
  if (journey.status === 'ARCHIVED') reject('JOURNEY_STATUS', { field: ['id'] });
  const { nodes } = await currentNodes(scope, journey);
  requireAllPinned(nodes, await pinsForEntry(scope, journey.workspaceId, nodes));
  await changeJourneyStatus(scope, journey, 'ACTIVE', 'journey.activate');
  return { id };
}

/**
 * Pauses a journey: no contact enters and no enrolment advances until it is activated again.
 * Requires no version, so that an emergency stop cannot fail with a conflict.
 */
export async function journeyPause(
  scope: ActionScope,
  { id }: JourneyId,
): Promise<{ readonly id: string }> {
  const journey = await lockJourney(scope, id);
  if (journey.status === 'PAUSED') return { id };
  if (journey.status !== 'ACTIVE') reject('JOURNEY_STATUS', { field: ['id'] });
  await changeJourneyStatus(scope, journey, 'PAUSED', 'journey.pause');
  return { id };
}

/** Ends a journey permanently. A job exits its enrolments; until then their pins hold. */
export async function journeyArchive(
  scope: ActionScope,
  { id }: JourneyId,
): Promise<{ readonly id: string }> {
  const journey = await lockJourney(scope, id);
  if (journey.status === 'ARCHIVED') return { id };
  await changeJourneyStatus(scope, journey, 'ARCHIVED', 'journey.archive');
  await requestJob(scope, endArchivedJourney, { journeyId: id });
  return { id };
}
