import { workspaceOf } from '../../access/permit.ts';
import { replayRejectedEvents } from '../../jobs/replay-rejected-events.ts';
import { requestJob } from '../../jobs/request-job.ts';
import type { ActionScope } from '../run-action.ts';
import type { ReplayRequest } from './replay-contract.ts';

/** Has the viewer's refused events replayed by a job, whose id is returned; its end is in the audit
 * log too. */
export async function requestReplay(
  scope: ActionScope,
  request: ReplayRequest,
): Promise<{ readonly id: string }> {
  const { viewer, audit } = scope;
  const workspaceId = workspaceOf(viewer);
  const { organizationId, userId } = viewer;
  const data = { organizationId, workspaceId, userId, request };
  const { id } = await requestJob(scope, replayRejectedEvents, data);
  await audit({
    action: 'rejected_events.replay',
    subjectType: 'workspace',
    subjectId: workspaceId,
    after: { jobId: id, ...request },
  });
  return { id };
}
