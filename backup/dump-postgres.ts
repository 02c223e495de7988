// Copies every table of Postgres, as of one moment, into a compressed file each.

import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress } from 'node:zlib';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { PostgresManifest } from './manifest.ts';
import {
  readJobQueueVersion,
  readMigrations,
  readSequences,
  type TableToCopy,
  tablesToCopy,
} from './postgres-tables.ts';

const FOLDER = 'postgres';

/** Resolves to what was copied, with the number of rows of each table. Paths are relative to `directory`. */
export async function dumpPostgres(
  databaseUrl: string,
  directory: string,
  log: (line: string) => void,
): Promise<PostgresManifest> {
  await mkdir(join(directory, FOLDER));
  const client = new pg.Client({ connectionString: databaseUrl, keepAlive: true });
  await client.connect();
  try {
    // All tables as of the same moment.
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    // A role from which row-level security hides rows gets an error, instead of creating an incomplete backup.
    await client.query('SET LOCAL row_security = off');
    await client.query('SET LOCAL statement_timeout = 0');
    const tables: PostgresManifest['tables'] = [];
    for (const table of await tablesToCopy(client)) {
      const file = join(FOLDER, `${table.schema}.${table.name}.copy.zst`);
      const rows = await copyTable(client, table, join(directory, file));
      tables.push({ ...table, columns: [...table.columns], rows, file });
    }
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    log(`Postgres: ${rows} rows from ${tables.length} tables copied`);
    return {
      migrations: await readMigrations(client),
      jobQueueVersion: await readJobQueueVersion(client),
      tables,
      sequences: await readSequences(client),
    };
  } finally {
    await client.end();
  }
}

async function copyTable(client: pg.Client, table: TableToCopy, file: string): Promise<number> {
  const columns = table.columns.map(column => client.escapeIdentifier(column)).join(', ');
  const name = `${client.escapeIdentifier(table.schema)}.${client.escapeIdentifier(table.name)}`;
  // COPY accepts a partitioned table only as a query.
  const copied = client.query(copyTo(`COPY (SELECT ${columns} FROM ${name}) TO STDOUT`));
  await pipeline(
    copied,
    createZstdCompress(),
    createWriteStream(file, { flags: 'wx', mode: 0o600 }),
  );
  return copied.rowCount ?? 0;
}
