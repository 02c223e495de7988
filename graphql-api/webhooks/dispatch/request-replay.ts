import { requestJob } from '../../platform/jobs/request-job.ts';
import type { ActionScope } from '../../platform/run-action.ts';
import { replayWebhooks } from '../replay.job.ts';
import { countReplay, queueReplay, REPLAY_AT_ONCE_MAX, type ReplayFilter } from './queue-replay.ts';

export type RequestedReplay = {
  /** At most REPLAY_MAX. The caller can request the rest when these are finished. */
  readonly count: number;
  /** Whether a job queues them, starting about a second from now. */
  readonly isByJob: boolean;
};

/** Queues small replays in the action and large ones in a job. */
export async function requestReplay(
  scope: Pick<ActionScope, 'em' | 'viewer' | 'deps'>,
  filter: ReplayFilter,
): Promise<RequestedReplay> {
  const { count, asOf: finishedBefore } = await countReplay(scope.em, filter);
  if (count > REPLAY_AT_ONCE_MAX) {
    await requestJob(scope, replayWebhooks, { filter, finishedBefore });
    return { count, isByJob: true };
  }
  const window = { finishedBefore, max: REPLAY_AT_ONCE_MAX };
  return { count: await queueReplay(scope.em, filter, window), isByJob: false };
}
