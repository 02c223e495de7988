import { z } from 'zod';
import { numberedSql } from '../platform/database/numbered-sql.ts';
import { defineJob } from '../platform/jobs/job.ts';

/** The limit per transaction, which keeps transactions short and locks few. */
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
      const { rows } = await database.asSystem(em =>
        numberedSql(em).executeSql(LEAVE, [journeyId, new Date(clock.nowMs()), ROWS_MAX]),
      );
      left = rows.length;
      total += left;
    }
    context.note({ journeyId, left: total });
  },
});

const LEAVE = `
  UPDATE enrolments SET state = 'EXITED', next_at = NULL, ended_at = $2
  WHERE id IN (
    SELECT enrolments.id FROM enrolments JOIN journeys ON journeys.id = journey_id
    WHERE journey_id = $1 AND status = 'ARCHIVED' AND ended_at IS NULL
    ORDER BY enrolments.id LIMIT $3 FOR UPDATE OF enrolments)
  RETURNING 1`;
