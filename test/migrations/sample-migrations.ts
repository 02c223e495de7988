// Separate databases, and sample migrations that a test may change.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@clickhouse/client';
import pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { inject } from 'vitest';
import { type MigrateOptions, migrate } from '../../migrations/migrate.ts';
import { newDirectory } from '../harness/run-directory.ts';

export type Databases = { databaseUrl: string; clickhouseUrl: string };

/** A separate database in each engine; the ClickHouse database does not exist yet. */
export async function newDatabases(): Promise<Databases> {
  const name = `migrations_${uuidv7().replaceAll('-', '')}`;
  await withClient(inject('databaseUrls').owner, client => client.query(`CREATE DATABASE ${name}`));
  const databaseUrl = new URL(inject('databaseUrls').owner);
  databaseUrl.pathname = `/${name}`;
  const clickhouseUrl = new URL(inject('clickhouseUrl'));
  clickhouseUrl.pathname = `/${name}`;
  return { databaseUrl: databaseUrl.href, clickhouseUrl: clickhouseUrl.href };
}

/** Creates sample migrations, which the test may change. */
export async function newMigrations(): Promise<string> {
  const directory = await newDirectory('migrations');
  await mkdir(join(directory, 'postgres'));
  await mkdir(join(directory, 'clickhouse'));
  await writeFile(join(directory, 'postgres', '0001_people.sql'), 'CREATE TABLE people (id int);');
  await writeFile(
    join(directory, 'clickhouse', '0001_visits.sql'),
    'CREATE TABLE IF NOT EXISTS visits (id UInt64) ENGINE = MergeTree ORDER BY id;\n' +
      'CREATE VIEW IF NOT EXISTS visits_seen AS SELECT id FROM visits;',
  );
  return directory;
}

export async function run(
  databases: Databases,
  directory?: string,
  { log, ...how }: Partial<MigrateOptions> = {},
): Promise<string[]> {
  const lines: string[] = [];
  await migrate({
    databaseUrl: databases.databaseUrl,
    clickhouseUrls: { default: databases.clickhouseUrl },
    log: line => {
      lines.push(line);
      log?.(line);
    },
    ...(directory ? { directory } : {}),
    ...how,
  });
  return lines;
}

export async function withClient<T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

export async function clickhouseRows(url: string, query: string): Promise<unknown[]> {
  const client = createClient({ url });
  try {
    return await (await client.query({ query, format: 'JSONEachRow' })).json();
  } finally {
    await client.close();
  }
}

export function postgresRows(url: string, query: string): Promise<unknown[]> {
  return withClient(url, async client => (await client.query(query)).rows);
}
