import { numberedSql } from '../../database/numbered-sql.ts';
import { reject } from '../../rejected.ts';
import type { ActionScope } from '../run-action.ts';

/** Named in the refusal; an operator who sees so many looks at the first ones. */
const JOURNEYS_SHOWN_MAX = 20;

/**
 * Refuses to delete a template that people in flight are pinned to. The caller holds the template's row
 * FOR UPDATE: whoever enters at the same time waits for it, or was waited for and is seen here.
 */
export async function requireUnpinned(
  { em }: Pick<ActionScope, 'em'>,
  templateId: string,
): Promise<void> {
  const { rows } = await numberedSql(em).executeSql(PINNING, [templateId, JOURNEYS_SHOWN_MAX]);
  if (rows.length > 0) reject('TEMPLATE_PINNED', { field: ['id'], facts: { journeys: rows } });
}

/** From the enrolments themselves; only where there are some are they counted. Whom an operator gave
 * a version by hand holds it too. */
const PINNING = `
  WITH version AS (
    SELECT id FROM template_versions WHERE template_id = $1
  ), snapshot AS (
    SELECT DISTINCT snapshot_id AS id FROM journey_snapshot_pins
    WHERE version_id IN (SELECT id FROM version)
  ), pinning AS (
    SELECT journey_id, (SELECT sum(in_flight) FROM enrolment_counts WHERE snapshot_id = snapshot.id) AS people
    FROM snapshot JOIN journey_snapshots USING (id)
    WHERE EXISTS (SELECT FROM enrolments WHERE snapshot_id = snapshot.id AND ended_at IS NULL)
    UNION ALL
    SELECT enrolments.journey_id, 1
    FROM enrolment_overrides JOIN enrolments ON enrolments.id = enrolment_id
    WHERE version_id IN (SELECT id FROM version) AND ended_at IS NULL
      AND snapshot_id NOT IN (SELECT id FROM snapshot)
  )
  SELECT journeys.id, journeys.name, sum(people)::integer AS in_flight
  FROM pinning JOIN journeys ON journeys.id = journey_id
  GROUP BY journeys.id, journeys.name ORDER BY in_flight DESC, journeys.id LIMIT $2`;
