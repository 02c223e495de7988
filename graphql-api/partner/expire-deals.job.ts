import { rowsOf, sql } from '../platform/database/kysely.ts';
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
    const now = new Date(clock.nowMs());
    let total = 0;
    let expired = ROWS_MAX;
    while (expired === ROWS_MAX) {
      signal.throwIfAborted();
      const [row] = await database.asSystem(em =>
        rowsOf(
          em,
          sql<{ count: number }>`
            SELECT expire_overdue_deals(${now}, ${context.requestId}, NULL, ${ROWS_MAX}) AS count`,
        ),
      );
      expired = row!.count;
      total += expired;
    }
    context.note({ deals: total });
  },
});
