import type pg from 'pg';
import { applyFile, type HowToApply } from './apply-file.ts';
import { type AppliedFile, label, pendingFiles, type SqlFile } from './sql-files.ts';

/** The records of the applied files; empty if no migration was ever applied. */
export async function appliedToPostgres(client: pg.Client): Promise<readonly AppliedFile[]> {
  const found = await client.query<{ name: string | null }>(
    "SELECT to_regclass('schema_migrations') AS name",
  );
  if (found.rows[0]?.name == null) return [];
  const { rows } = await client.query<AppliedFile>(
    'SELECT version, name, checksum FROM schema_migrations ORDER BY version',
  );
  return rows;
}

/** The caller holds the lock. */
export async function migratePostgres(
  client: pg.Client,
  files: readonly SqlFile[],
  how: HowToApply,
): Promise<void> {
  const { log } = how;
  await client.query(`
    CREATE TABLE IF NOT EXISTS schema_migrations (
      version integer PRIMARY KEY,
      name text NOT NULL,
      checksum text NOT NULL,
      applied_at timestamptz NOT NULL DEFAULT now()
    )`);
  const pending = pendingFiles(files, await appliedToPostgres(client), 'Postgres');
  for (const file of pending) {
    await applyFile(client, file, how);
    log(`Postgres: applied ${label(file)}`);
  }
  if (pending.length === 0) log('Postgres: up to date');
  await revokeTemporary(client, log);
}

/**
 * Revoked at every run, because it is a right on the database and not on its contents: a copied or restored
 * database has it again.
 */
async function revokeTemporary(client: pg.Client, log: (line: string) => void): Promise<void> {
  const { rows } = await client.query<{ name: string }>('SELECT current_database() AS name');
  const database = client.escapeIdentifier(rows[0]!.name);
  await client.query(`REVOKE TEMPORARY ON DATABASE ${database} FROM PUBLIC`);
  const kept = await client.query(
    `SELECT FROM pg_roles WHERE rolname IN ('service_app', 'service_system')
       AND has_database_privilege(oid, current_database(), 'TEMPORARY')`,
  );
  if (kept.rowCount === 0) return;
  log(
    'Postgres: service_app and service_system can still create temporary tables. ' +
      `To prevent this, run as the owner of the database: REVOKE TEMPORARY ON DATABASE ${database} FROM PUBLIC`,
  );
}
