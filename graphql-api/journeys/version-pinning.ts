import type { EntityManager } from '@mikro-orm/postgresql';
import { rowsOf, sql } from '../platform/database/kysely.ts';
import type { VersionPinning } from '../templates/deps.ts';
import { pinsByVersions } from './pin.reads.ts';
import { releasePins } from './rollout.force.ts';

/** Implements the pinning that templates require, on the snapshots of journeys. */
export const versionPinning: VersionPinning = { requestPinCheck, releasePins, pinsByVersions };

/** The name of the job. Importing the job would be circular, because it imports the caller. */
const JOB = 'migrate-broken-pins';

/** Queues nothing if no enrolment can be affected, which is the usual case. */
async function requestPinCheck(
  em: EntityManager,
  requestId: string,
  { id: versionId, workspaceId }: { readonly id: string; readonly workspaceId: string },
): Promise<void> {
  await rowsOf(
    em,
    sql`
      WITH ${breakableSnapshots(versionId)}
      INSERT INTO job_requests (id, organization_id, job, data)
      SELECT ${requestId}, organization_id, ${JOB}, ${JSON.stringify({ versionId })}::jsonb
      FROM workspaces
      WHERE id = ${workspaceId} AND EXISTS (
        SELECT FROM snapshot JOIN enrolments ON snapshot_id = snapshot.id WHERE ended_at IS NULL)`,
  );
}

/**
 * Two common table expressions, `active` and `snapshot`: the snapshots that may pin a contact to a
 * version that their data no longer fills, while it fills the newly Active version. These are the
 * snapshots with an older version that requires a variable which the Active version does not
 * require. If both require the same variables, data that fills one fills the other.
 */
export function breakableSnapshots(versionId: string) {
  return sql`
  active AS (
    SELECT * FROM template_versions WHERE id = ${versionId} AND state = 'Active'
  ), snapshot AS (
    SELECT DISTINCT snapshot_id AS id FROM journey_snapshot_pins WHERE version_id IN (
      SELECT older.id FROM template_versions AS older
      JOIN active USING (template_id, channel, language)
      WHERE older.id <> active.id AND EXISTS (
        SELECT needed ->> 'name' FROM jsonb_array_elements(older.variables) AS needed
        WHERE (needed ->> 'isRequired')::boolean
        EXCEPT
        SELECT needed ->> 'name' FROM jsonb_array_elements(active.variables) AS needed
        WHERE (needed ->> 'isRequired')::boolean))
  )`;
}
