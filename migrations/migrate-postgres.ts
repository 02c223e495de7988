import type pg from 'pg';
import { type AppliedFile, label, pendingFiles, type SqlFile } from './sql-files.ts';

/** Each file in a transaction of its own, together with its record. The caller holds the lock. */
export async function migratePostgres(
  client: pg.Client,
  files: readonly SqlFile[],
  log: (line: string) => void,
): Promise<void> {
  await client.query(`
    CREATE TABLE IF NOT EXISTS schema_migrations (
      version integer PRIMARY KEY,
      name text NOT NULL,
      checksum text NOT NULL,
      applied_at timestamptz NOT NULL DEFAULT now()
    )`);
  const applied = await client.query<AppliedFile>(
    'SELECT version, name, checksum FROM schema_migrations',
  );
  const pending = pendingFiles(files, applied.rows, 'Postgres');
  for (const file of pending) {
    await applyFile(client, file);
    log(`Postgres: applied ${label(file)}`);
  }
  if (pending.length === 0) log('Postgres: up to date');
}

async function applyFile(client: pg.Client, file: SqlFile): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query(file.text);
    await client.query(
      'INSERT INTO schema_migrations (version, name, checksum) VALUES ($1, $2, $3)',
      [file.version, file.name, file.checksum],
    );
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw new Error(`Postgres: ${label(file)} failed: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
