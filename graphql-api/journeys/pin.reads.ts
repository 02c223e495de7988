// The number of enrolments in flight pinned to template versions, and the age of the oldest pin.
// Counts are stored per snapshot, so a query reads a few rows even for a million pins, and is
// exact.

import type { Context } from '../platform/context.ts';
import { numberedSql } from '../platform/database/numbered-sql.ts';
import { workspaceOf } from '../platform/permit.ts';
import type { VersionPins } from '../templates/deps.ts';

/** Omits IDs that are not versions of the workspace. */
export async function pinsByVersions(
  context: Context,
  ids: readonly string[],
): Promise<readonly VersionPins[]> {
  const em = await context.read();
  const { rows } = await numberedSql(em).executeSql(PINS, [ids, workspaceOf(context.viewer)]);
  const checkedAt = new Date(context.deps.clock.nowMs());
  return (rows as PinsRow[]).map(({ oldestPinMs, ...row }) => ({
    ...row,
    oldestPinAt: oldestPinMs === null ? null : new Date(oldestPinMs),
    checkedAt,
  }));
}

type PinsRow = Omit<VersionPins, 'checkedAt' | 'oldestPinAt'> & {
  readonly oldestPinMs: number | null;
};

export type JourneyPins = {
  readonly versionId: string;
  readonly journeyId: string;
  readonly inFlight: number;
};

/** The counts per journey, for the impact of a rollout. */
export async function pinsByJourney(
  context: Context,
  versionIds: readonly string[],
): Promise<readonly JourneyPins[]> {
  const em = await context.read();
  const parameters = [versionIds, workspaceOf(context.viewer)];
  const { rows } = await numberedSql(em).executeSql(PINS_BY_JOURNEY, parameters);
  return rows as JourneyPins[];
}

const PINS = `
  SELECT version.id, coalesce(sum(pinned.in_flight), 0)::integer AS "pinnedCount",
         (extract(epoch FROM min(pinned.oldest)) * 1000)::float8 AS "oldestPinMs", released.to_version_id AS "releasedToId"
  FROM template_versions AS version
  LEFT JOIN LATERAL (
    SELECT (SELECT sum(in_flight) FROM enrolment_counts WHERE snapshot_id = pin.snapshot_id) AS in_flight,
           (SELECT min(created_at) FROM enrolments
            WHERE snapshot_id = pin.snapshot_id AND ended_at IS NULL) AS oldest
    FROM (SELECT DISTINCT snapshot_id FROM journey_snapshot_pins WHERE version_id = version.id) AS pin
  ) AS pinned ON true
  LEFT JOIN pin_releases AS released ON released.version_id = version.id AND released.scope = 'ALL'
  WHERE version.id = ANY ($1::uuid[]) AND version.workspace_id = $2
  GROUP BY version.id, released.to_version_id`;

const PINS_BY_JOURNEY = `
  SELECT version_id AS "versionId", journey_id AS "journeyId", sum(in_flight)::integer AS "inFlight"
  FROM (
    SELECT DISTINCT version_id, snapshot_id FROM journey_snapshot_pins
    WHERE version_id = ANY ($1::uuid[]) AND workspace_id = $2
  ) AS pin
  JOIN journey_snapshots AS snapshot ON snapshot.id = snapshot_id
  JOIN enrolment_counts USING (snapshot_id)
  GROUP BY version_id, journey_id
  HAVING sum(in_flight) > 0
  ORDER BY version_id, "inFlight" DESC, journey_id`;
