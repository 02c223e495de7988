import type { Context } from '../../platform/context.ts';
import { workspaceReads } from '../../platform/database/entity-reads.ts';
import { unfinishedStatesByIds } from '../../platform/jobs/job-states.ts';
import { RejectedEventsReplay } from './replay.entity.ts';
import { replayRejectedEvents } from './replay.job.ts';

export const rejectedEventsReplays = workspaceReads(RejectedEventsReplay);

/** The states of replays that have not recorded their end. The viewer must be able to see them. */
export function replayStatesByIds(context: Context, ids: readonly string[]) {
  return unfinishedStatesByIds(context, replayRejectedEvents, ids);
}
