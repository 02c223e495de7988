// The number of enrolments in flight pinned to template versions, and the age of the oldest pin.
// Counts are stored per snapshot, so a query reads a few rows even for a million pins, and is
// exact.

import type { Context } from '../platform/context.ts';
import { rowsOf, sql } from '../platform/database/kysely.ts';
import { workspaceOf } from '../platform/permit.ts';
import type { VersionPins } from '../templates/deps.ts';
import { TemplateVersion } from '../templates/version.entity.ts';

/** Omits IDs that are not versions of the workspace. */
export async function pinsByVersions(
  context: Context,
  ids: readonly string[],
): Promise<readonly VersionPins[]> {
  const em = await context.read();
  const rows = await rowsOf(
    em,
    sql<Omit<VersionPins, 'checkedAt'>>`
      SELECT version.id, coalesce(sum(pinned.in_flight), 0)::integer AS pinned_count,
             min(pinned.oldest) AS oldest_pin_at, released.to_version_id AS released_to_id
      FROM template_versions AS version
      LEFT JOIN LATERAL (
        SELECT (SELECT sum(in_flight) FROM enrolment_counts WHERE snapshot_id = pin.snapshot_id) AS in_flight,
               (SELECT min(created_at) FROM enrolments
                WHERE snapshot_id = pin.snapshot_id AND ended_at IS NULL) AS oldest
        FROM (SELECT DISTINCT snapshot_id FROM journey_snapshot_pins WHERE version_id = version.id) AS pin
      ) AS pinned ON true
      LEFT JOIN pin_releases AS released ON released.version_id = version.id AND released.scope = 'ALL'
      WHERE version.id = ANY(${ids}) AND version.workspace_id = ${workspaceOf(context.viewer)}
      GROUP BY version.id, released.to_version_id`,
  );
  const checkedAt = new Date(context.deps.clock.nowMs());
  return rows.map(row => ({ ...row, checkedAt }));
}

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
  return rowsOf(
    em,
    sql<JourneyPins>`
      SELECT version_id, journey_id, sum(in_flight)::integer AS in_flight
      FROM (
        SELECT DISTINCT version_id, snapshot_id FROM journey_snapshot_pins
        WHERE version_id = ANY(${versionIds}) AND workspace_id = ${workspaceOf(context.viewer)}
      ) AS pin
      JOIN journey_snapshots AS snapshot ON snapshot.id = snapshot_id
      JOIN enrolment_counts USING (snapshot_id)
      GROUP BY version_id, journey_id
      HAVING sum(in_flight) > 0
      ORDER BY version_id, sum(in_flight) DESC, journey_id`,
  );
}

/** Above the number of versions of one template, channel and language that are still pinned. */
const VERSIONS_MAX = 100;

/** The other versions of the same template, channel and language that may have pins. */
export async function treeOfVersion(
  context: Context,
  { id, templateId, channel, language }: TemplateVersion,
): Promise<readonly TemplateVersion[]> {
  const em = await context.read();
  const where = { templateId, channel, language, workspaceId: workspaceOf(context.viewer) };
  return em.find(
    TemplateVersion,
    { ...where, id: { $ne: id }, state: { $nin: ['Draft', 'Archived'] } },
    { orderBy: { number: 'desc' }, limit: VERSIONS_MAX },
  );
}
