import type pg from 'pg';
import {
  compareReleases,
  readSchemaRelease,
  schemaProblem,
} from '../schema/environment/schema-release.ts';

/**
 * The oldest release whose programs work on the schema of this one: always the release before it. Set it
 * to that one when the version in package.json is raised.
 */
export const OLDEST_RELEASE = '0.1.0';

/** A release that no longer works with the schema must not migrate it either. */
export async function refuseIfTooOld(client: pg.Client, release: string): Promise<void> {
  const schema = await releaseOf(client);
  const isOlder = schema !== undefined && compareReleases(release, schema.oldestRelease) < 0;
  if (isOlder) throw new Error(schemaProblem(release, schema));
}

/** Runs after all databases have been migrated. A rollback does not lower the recorded release. */
export async function recordRelease(client: pg.Client, release: string): Promise<void> {
  const schema = await releaseOf(client);
  if (schema !== undefined && compareReleases(release, schema.release) < 0) return;
  await client.query(`
    CREATE TABLE IF NOT EXISTS schema_release (
      id smallint PRIMARY KEY CHECK (id = 1),
      release text NOT NULL,
      oldest_release text NOT NULL
    )`);
  await client.query('GRANT SELECT ON schema_release TO service_system');
  await client.query(
    `INSERT INTO schema_release (id, release, oldest_release) VALUES (1, $1, $2)
     ON CONFLICT (id) DO UPDATE SET release = excluded.release, oldest_release = excluded.oldest_release`,
    [release, OLDEST_RELEASE],
  );
}

function releaseOf(client: pg.Client) {
  return readSchemaRelease(async sql => (await client.query(sql)).rows);
}
