import { rowsOf, sql } from '../platform/database/kysely.ts';
import { defineJob, scheduledData } from '../platform/jobs/job.ts';
import { evaluateOne } from './evaluate-segment.job.ts';
import { SEGMENTS_IN_USE } from './segments-in-use.ts';

/** Segments that nothing uses are evaluated daily, so that they can be used at once. */
const UNUSED_INTERVAL_MS = 24 * 60 * 60 * 1000;

/** Evaluates the segments in use one after the other, in the order of their last evaluation. */
export const evaluateSegments = defineJob({
  name: 'evaluate-segments',
  schedule: '*/5 * * * *',
  data: scheduledData,
  async run(context, _data, signal) {
    const { clock, database, log } = context.deps;
    const unusedBefore = new Date(clock.nowMs() - UNUSED_INTERVAL_MS);
    const due = await database.asSystem(em =>
      rowsOf(
        em,
        sql<{ id: string }>`
          SELECT id FROM segments
          WHERE archived_at IS NULL AND (
            evaluated_at IS NULL OR attempted_at < ${unusedBefore}
            OR id IN (SELECT segment_id FROM (${SEGMENTS_IN_USE}) AS used))
          ORDER BY attempted_at NULLS FIRST`,
      ),
    );
    for (const { id } of due) {
      signal.throwIfAborted();
      try {
        await evaluateOne(context, id, signal);
      } catch (error) {
        signal.throwIfAborted();
        // The failure delays only this segment.
        log.error({ err: error, segmentId: id }, 'could not evaluate a segment, retrying');
      }
    }
    context.note({ segments: due.length });
  },
});
