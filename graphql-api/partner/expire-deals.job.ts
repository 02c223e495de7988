import { defineJob, scheduledData } from '../platform/jobs/job.ts';

/** Deals per transaction. Keeps transactions short and the number of locks small. */
const ROWS_MAX = 500;

/**
 * Marks overdue deals as EXPIRED. Not time-critical, because reads and registrations evaluate the
 * deadlines themselves.
 */
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
