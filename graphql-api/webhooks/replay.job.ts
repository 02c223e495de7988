import { z } from 'zod';
import type { Context } from '../platform/context.ts';
import { defineJob } from '../platform/jobs/job.ts';
import {
  queueReplay,
  REPLAY_AT_ONCE_MAX,
  REPLAY_MAX,
  type ReplayFilter,
  replayFilter,
} from './dispatch/queue-replay.ts';

const inBatches = {
  data: z.object({ filter: replayFilter, finishedBefore: z.iso.datetime({ offset: true }) }),
  async run(context: Context, { filter, finishedBefore }: ReplayData, signal: AbortSignal) {
    const window = { finishedBefore, max: REPLAY_AT_ONCE_MAX };
    let queued = 0;
    let some = REPLAY_AT_ONCE_MAX;
    while (some === REPLAY_AT_ONCE_MAX && queued < REPLAY_MAX) {
      signal.throwIfAborted();
      some = await context.deps.database.asSystem(em => queueReplay(em, filter, window));
      queued += some;
    }
    context.note({ workspaceId: filter.workspaceId, endpointId: filter.endpointId, queued });
  },
};

type ReplayData = { readonly filter: ReplayFilter; readonly finishedBefore: string };

/** Queues the deliveries of a large replay in batches. A repeated run queues no delivery twice. */
export const replayWebhooks = defineJob({ name: 'replay-webhooks', ...inBatches });

/**
 * The same, for deliveries that wait. It has a name of its own because nodes of earlier releases do
 * not know `isPendingOnly`: they would replay the failed deliveries instead.
 */
export const replayWaitingWebhooks = defineJob({ name: 'replay-waiting-webhooks', ...inBatches });
