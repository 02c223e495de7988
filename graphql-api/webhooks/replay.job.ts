import { z } from 'zod';
import { defineJob } from '../platform/jobs/job.ts';
import {
  queueReplay,
  REPLAY_AT_ONCE_MAX,
  REPLAY_MAX,
  replayFilter,
} from './dispatch/queue-replay.ts';

/** Queues the deliveries of a large replay in batches. A repeated run queues no delivery twice. */
export const replayWebhooks = defineJob({
  name: 'replay-webhooks',
  data: z.object({ filter: replayFilter, finishedBefore: z.iso.datetime({ offset: true }) }),
  async run(context, { filter, finishedBefore }, signal) {
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
});
