import { z } from 'zod';
import { rowsOf, sql } from '../platform/database/kysely.ts';
import { defineJob } from '../platform/jobs/job.ts';

/** The limit per transaction, which keeps transactions short and the number of locks small. */
const ROWS_MAX = 5_000;

/** Exits all enrolments of an archived journey. */
export const endArchivedJourney = defineJob({
  name: 'end-archived-journey',
  data: z.object({ journeyId: z.uuid() }),
  async run(context, { journeyId }, signal) {
    const { clock, database } = context.deps;
    let total = 0;
    let left = ROWS_MAX;
    while (left === ROWS_MAX) {
      signal.throwIfAborted();
      const exited = await database.asSystem(em =>
        rowsOf(
          em,
          sql`
            UPDATE enrolments
            SET state = 'EXITED', next_at = NULL, ended_at = ${new Date(clock.nowMs())}
            WHERE id IN (
              SELECT enrolments.id FROM enrolments JOIN journeys ON journeys.id = journey_id
              WHERE journey_id = ${journeyId} AND status = 'ARCHIVED' AND ended_at IS NULL
              ORDER BY enrolments.id LIMIT ${ROWS_MAX} FOR UPDATE OF enrolments)
            RETURNING 1`,
        ),
      );
      left = exited.length;
      total += left;
    }
    context.note({ journeyId, left: total });
  },
});
