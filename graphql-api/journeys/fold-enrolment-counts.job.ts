import { rowsOf, sql } from '../platform/database/kysely.ts';
import { defineJob, scheduledData } from '../platform/jobs/job.ts';

/** The limit of snapshots per statement, which keeps transactions short and the number of locks small. */
const SNAPSHOTS_MAX = 500;

/**
 * Folds the counter rows of each snapshot into one row, so that a count stays a short sum. Readers
 * see either the rows before or the row after, with the same sum.
 */
export const foldEnrolmentCounts = defineJob({
  name: 'fold-enrolment-counts',
  schedule: '*/5 * * * *',
  data: scheduledData,
  async run(context, _data, signal) {
    let total = 0;
    let folded = SNAPSHOTS_MAX;
    while (folded === SNAPSHOTS_MAX) {
      signal.throwIfAborted();
      const rows = await context.deps.database.asSystem(em => rowsOf(em, FOLD));
      folded = rows.length;
      total += folded;
    }
    context.note({ snapshots: total });
  },
});

const FOLD = sql`
  WITH many AS (
    SELECT snapshot_id FROM enrolment_counts GROUP BY snapshot_id HAVING count(*) > 1 LIMIT ${SNAPSHOTS_MAX}
  ), gone AS (
    DELETE FROM enrolment_counts WHERE snapshot_id IN (SELECT snapshot_id FROM many)
    RETURNING snapshot_id, workspace_id, in_flight
  )
  INSERT INTO enrolment_counts (snapshot_id, workspace_id, in_flight)
  SELECT snapshot_id, workspace_id, sum(in_flight) FROM gone GROUP BY 1, 2
  RETURNING 1`;
