// Loads the tables of a backup into an empty, migrated database, in one transaction.

import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { PostgresManifest } from './manifest.ts';
import { readJobQueueVersion, readMigrations } from './postgres-tables.ts';

/**
 * Rejects without changes if the schema is not that of the backup or the database
 * is not empty. Foreign keys and checks are verified by the database as the rows are loaded.
 */
export async function loadPostgres(
  databaseUrl: string,
  directory: string,
  { release, postgres }: { release: string; postgres: PostgresManifest },
  log: (line: string) => void,
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, keepAlive: true });
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query('SET LOCAL row_security = off');
    await client.query('SET LOCAL statement_timeout = 0');
    await requireSameSchema(client, postgres, release);
    const names = postgres.tables.map(
      ({ schema, name }) => `${client.escapeIdentifier(schema)}.${client.escapeIdentifier(name)}`,
    );
    const own = names.filter((_, index) => postgres.tables[index]!.schema === 'public');
    // Triggers check or follow changes made by the service. These rows have passed them before.
    for (const name of own) await client.query(`ALTER TABLE ${name} DISABLE TRIGGER USER`);
    // The rows that migrations and the job queue have inserted are in the backup, too.
    for (const name of names.toReversed()) await client.query(`DELETE FROM ${name}`);
    for (const [index, table] of postgres.tables.entries())
      await loadTable(client, names[index]!, table, join(directory, table.file));
    for (const { name, lastValue } of postgres.sequences)
      await client.query('SELECT setval($1::regclass, $2::bigint)', [name, lastValue]);
    for (const name of own) await client.query(`ALTER TABLE ${name} ENABLE TRIGGER USER`);
    await client.query('COMMIT');
    const rows = postgres.tables.reduce((sum, table) => sum + table.rows, 0);
    log(`Postgres: ${rows} rows loaded into ${postgres.tables.length} tables`);
  } finally {
    await client.end();
  }
}

/** Rejects if the database has data of the service. */
export async function requireEmptyPostgres(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string | null }>(
      `SELECT to_regclass('public.organizations') AS name`,
    );
    if (rows[0]?.name == null) return;
    await client.query('BEGIN');
    await client.query('SET LOCAL row_security = off');
    const organizations = await client.query('SELECT FROM public.organizations LIMIT 1');
    if (organizations.rowCount === 0) return;
    throw new Error('Postgres is not empty: it has organizations. Restore into a new database.');
  } finally {
    await client.end();
  }
}

async function requireSameSchema(
  client: pg.Client,
  postgres: PostgresManifest,
  release: string,
): Promise<void> {
  const migrations = await readMigrations(client);
  const isSame =
    JSON.stringify(migrations) === JSON.stringify(postgres.migrations) &&
    (await readJobQueueVersion(client)) === postgres.jobQueueVersion;
  if (isSame) return;
  throw new Error(
    `The schema of the backup differs from that of this release. Restore it with release ${release}, then upgrade.`,
  );
}

async function loadTable(
  client: pg.Client,
  name: string,
  table: PostgresManifest['tables'][number],
  file: string,
): Promise<void> {
  const columns = table.columns.map(column => client.escapeIdentifier(column)).join(', ');
  const loading = client.query(copyFrom(`COPY ${name} (${columns}) FROM STDIN`));
  await pipeline(createReadStream(file), createZstdDecompress(), loading);
  if (loading.rowCount === table.rows) return;
  throw new Error(
    `${name} has ${loading.rowCount} rows after loading, but it has ${table.rows} rows in the backup.`,
  );
}
