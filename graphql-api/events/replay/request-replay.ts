import { requestJob } from '../../platform/jobs/request-job.ts';
import { oneAtATime } from '../../platform/one-at-a-time.ts';
import { workspaceOf } from '../../platform/permit.ts';
import { reject } from '../../platform/rejected.ts';
import type { ActionScope } from '../../platform/run-action.ts';
import type { ReplayRequest } from './replay.contract.ts';
import { RejectedEventsReplay } from './replay.entity.ts';
import { replayRejectedEvents } from './replay.job.ts';

/** One replay runs at a time across all workspaces, so no workspace may fill the queue. */
const UNFINISHED_MAX = 5;
/** An older unfinished replay has failed, or waits for replays of other workspaces. It does not
 * count. */
const UNFINISHED_HOURS = 1;

/** Requests a job, with the same ID, that replays the viewer's rejected events. The audit log
 * records the request and the result. */
export async function requestReplay(
  scope: ActionScope,
  request: ReplayRequest,
): Promise<{ readonly id: string }> {
  const { em, viewer, deps, audit } = scope;
  const workspaceId = workspaceOf(viewer);
  const { organizationId, userId } = viewer;
  await requireRoom(scope, workspaceId);
  const id = deps.newId();
  await em.insert(RejectedEventsReplay, { id, workspaceId, actorId: userId, request });
  const data = { replayId: id, organizationId, workspaceId, userId, request };
  await requestJob(scope, replayRejectedEvents, data, id);
  await audit({
    action: 'rejected_events.replay',
    subjectType: 'rejected_events_replay',
    subjectId: id,
    after: request,
  });
  return { id };
}

async function requireRoom(scope: ActionScope, workspaceId: string): Promise<void> {
  await oneAtATime(scope, `replays of ${workspaceId}`);
  const [row] = await scope.em.execute<{ unfinished: number }[]>(
    `SELECT count(*)::int AS unfinished FROM rejected_events_replays
     WHERE workspace_id = ? AND finished_at IS NULL AND created_at > now() - ? * interval '1 hour'`,
    [workspaceId, UNFINISHED_HOURS],
  );
  if (row!.unfinished >= UNFINISHED_MAX) reject('TOO_MANY_REPLAYS');
}
