import { defineJob, scheduledData } from '../platform/jobs/job.ts';

/** Deals per transaction: short ones, and never many locks. */
const ROWS_MAX = 500;

/** Writes down which deals are over. Nobody waits for it: reads and registrations know by the clock. */
export const expireDeals = defineJob({
  name: 'expire-deals',
  schedule: '7 * * * *',
  data: scheduledData,
  async run(context, _data, signal) {
    const { clock, database } = context.deps;
    const now = new Date(clock.nowMs()).toISOString();
    let total = 0;
    let expired = ROWS_MAX;
    while (expired === ROWS_MAX) {
      signal.throwIfAborted();
      const [row] = await database.asSystem(em =>
        em.execute<{ count: number }[]>('SELECT expire_overdue_deals(?, ?, NULL, ?) AS count', [
          now,
          context.requestId,
          ROWS_MAX,
        ]),
      );
      expired = row!.count;
      total += expired;
    }
    context.note({ deals: total });
  },
});
