import { rowsOf, sql } from '../platform/database/kysely.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';

/** Limits the journeys listed in the error; an operator starts with the largest. */
const JOURNEYS_SHOWN_MAX = 20;

type LockedScope = Pick<ActionScope, 'em'>;

/**
 * Rejects archiving a template that enrolments in flight are pinned to. The caller holds the
 * template's row FOR UPDATE, so a concurrent enrolment either waits for it or is already visible.
 */
export async function requireUnpinned(scope: LockedScope, templateId: string): Promise<void> {
  const journeys = await pinningJourneys(scope, 'template_id', templateId);
  if (journeys.length > 0) reject('TEMPLATE_PINNED', { field: ['id'], facts: { journeys } });
}

/**
 * Rejects editing or discarding a version that enrolments in flight are pinned to: one whose
 * submission was canceled, or that was rejected. The caller holds the same lock.
 */
export async function requireVersionUnpinned(scope: LockedScope, versionId: string): Promise<void> {
  const journeys = await pinningJourneys(scope, 'id', versionId);
  if (journeys.length === 0) return;
  const message = 'Enrolments in flight are pinned to the version. Create a new version instead.';
  reject('TEMPLATE_PINNED', { field: ['id'], message, facts: { journeys } });
}

/** Existence is checked on the enrolments themselves; the counters are used only for the numbers.
 * Overrides by an operator count as pins too. */
async function pinningJourneys({ em }: LockedScope, column: 'id' | 'template_id', id: string) {
  const journeys = await rowsOf(
    em,
    sql<{ id: string; name: string; inFlight: number }>`
      WITH version AS (
        SELECT id FROM template_versions WHERE ${sql.ref(column)} = ${id}
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
      GROUP BY journeys.id, journeys.name
      ORDER BY in_flight DESC, journeys.id LIMIT ${JOURNEYS_SHOWN_MAX}`,
  );
  return journeys.map(({ inFlight, ...journey }) => ({ ...journey, in_flight: inFlight }));
}
