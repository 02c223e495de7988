import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@clickhouse/client';
import pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { expect, inject, test } from 'vitest';
import { LOCK, type MigrateOptions, migrate } from '../../migrations/migrate.ts';
import { newDirectory } from '../harness/run-directory.ts';

type Databases = { databaseUrl: string; clickhouseUrl: string };

/** A separate database in each engine; the ClickHouse database does not exist yet. */
async function newDatabases(): Promise<Databases> {
  const name = `migrations_${uuidv7().replaceAll('-', '')}`;
  await withClient(inject('databaseUrls').owner, client => client.query(`CREATE DATABASE ${name}`));
  const databaseUrl = new URL(inject('databaseUrls').owner);
  databaseUrl.pathname = `/${name}`;
  const clickhouseUrl = new URL(inject('clickhouseUrl'));
  clickhouseUrl.pathname = `/${name}`;
  return { databaseUrl: databaseUrl.href, clickhouseUrl: clickhouseUrl.href };
}

/** Creates sample migrations, which the test may change. */
async function newMigrations(): Promise<string> {
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

async function run(
  databases: Databases,
  directory?: string,
  how: Pick<MigrateOptions, 'isDryRun' | 'isLaterRefused'> = {},
): Promise<string[]> {
  const lines: string[] = [];
  await migrate({
    databaseUrl: databases.databaseUrl,
    clickhouseUrls: { default: databases.clickhouseUrl },
    log: line => lines.push(line),
    ...(directory ? { directory } : {}),
    ...how,
  });
  return lines;
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function clickhouseRows(url: string, query: string): Promise<unknown[]> {
  const client = createClient({ url });
  try {
    return await (await client.query({ query, format: 'JSONEachRow' })).json();
  } finally {
    await client.close();
  }
}

function postgresRows(url: string, query: string): Promise<unknown[]> {
  return withClient(url, async client => (await client.query(query)).rows);
}

const UP_TO_DATE = ['Postgres: up to date', 'ClickHouse of cell default: up to date'];

test.concurrent('applies our own files once and then finds nothing to do', async () => {
  const databases = await newDatabases();
  const first = await run(databases);
  expect(first).toContain('Postgres: applied 0001_tenancy');
  expect(first).toContain('ClickHouse of cell default: applied 0001_events');
  expect(await run(databases)).toEqual(UP_TO_DATE);
  const events = await clickhouseRows(databases.clickhouseUrl, 'SELECT count() AS n FROM events');
  expect(events).toEqual([{ n: expect.anything() }]);
});

test.concurrent('two concurrent migrations apply each file once', async () => {
  const databases = await newDatabases();
  const lines = (await Promise.all([1, 2, 3].map(() => run(databases)))).flat();
  expect(lines.filter(line => line === 'Postgres: applied 0001_tenancy')).toHaveLength(1);
  expect(lines.filter(line => line === UP_TO_DATE[0])).toHaveLength(2);
  expect(lines.filter(line => line === UP_TO_DATE[1])).toHaveLength(2);
});

test.concurrent('waits for another migration until its timeout', async () => {
  const { databaseUrl } = await newDatabases();
  const waiting = new AbortController();
  const log = (line: string) => {
    if (line.startsWith('Waiting')) waiting.abort(new Error('told to stop'));
  };
  await withClient(databaseUrl, async holder => {
    await holder.query('SELECT pg_advisory_lock($1::bigint)', [LOCK]);
    const { signal } = waiting;
    const late = migrate({ databaseUrl, clickhouseUrls: {}, log, signal });
    await expect(late).rejects.toThrow('told to stop');
  });
  await migrate({ databaseUrl, clickhouseUrls: {}, log });
});

test.concurrent('records number, name, checksum and time', async () => {
  const databases = await newDatabases();
  await run(databases, await newMigrations());
  const query = 'SELECT version, name, checksum, applied_at FROM schema_migrations';
  const record = { version: 1, checksum: expect.stringMatching(/^[0-9a-f]{64}$/) };
  const applied_at = expect.anything();
  expect(await postgresRows(databases.databaseUrl, query)).toEqual([
    { ...record, name: 'people', applied_at },
  ]);
  expect(await clickhouseRows(databases.clickhouseUrl, query)).toEqual([
    { ...record, name: 'visits', applied_at },
  ]);
});

test.concurrent.each([
  ['postgres', '0001_people.sql', 'Postgres'],
  ['clickhouse', '0001_visits.sql', 'ClickHouse of cell default'],
])('refuses a file of %s that changed after it was applied', async (engine, name, where) => {
  const databases = await newDatabases();
  const directory = await newMigrations();
  await run(databases, directory);
  const file = join(directory, engine, name);
  await writeFile(file, `${await readFile(file, 'utf8')}\n-- changed`);
  await expect(run(databases, directory)).rejects.toThrow(
    `${name.replace('.sql', '')} was applied to ${where} and has changed since`,
  );
});

test.concurrent('a failed Postgres file leaves nothing behind', async () => {
  const databases = await newDatabases();
  const directory = await newMigrations();
  const file = join(directory, 'postgres', '0002_broken.sql');
  await writeFile(file, 'CREATE TABLE half (id int); SELECT no_such_column;');
  await expect(run(databases, directory)).rejects.toThrow('0002_broken failed');
  await writeFile(file, 'CREATE TABLE half (id int);');
  expect(await run(databases, directory)).toContain('Postgres: applied 0002_broken');
});

test.concurrent('a partially applied ClickHouse file is applied again', async () => {
  const databases = await newDatabases();
  const directory = await newMigrations();
  const file = join(directory, 'clickhouse', '0002_more.sql');
  const start = 'CREATE TABLE IF NOT EXISTS more (id UInt64) ENGINE = MergeTree ORDER BY id;\n';
  await writeFile(file, `${start}SELECT no_such_column;`);
  await expect(run(databases, directory)).rejects.toThrow('0002_more failed');
  await writeFile(file, `${start}CREATE VIEW IF NOT EXISTS m AS SELECT id FROM more;`);
  expect(await run(databases, directory)).toContain(
    'ClickHouse of cell default: applied 0002_more',
  );
});

test.concurrent('refuses two files with the same number', async () => {
  const databases = await newDatabases();
  const directory = await newMigrations();
  const first = join(directory, 'postgres', '0001_people.sql');
  await copyFile(first, join(directory, 'postgres', '0001_places.sql'));
  await expect(run(databases, directory)).rejects.toThrow('Two migrations have the number 1');
});

test.concurrent('a dry run lists the files that would be applied, and changes nothing', async () => {
  const databases = await newDatabases();
  const directory = await newMigrations();
  const lines = await run(databases, directory, { isDryRun: true });
  expect(lines).toEqual([
    'Postgres: would apply 0001_people',
    'ClickHouse of cell default: would apply 0001_visits',
  ]);
  const tables = `SELECT count(*)::int AS n FROM pg_class WHERE relname IN ('schema_migrations', 'people')`;
  expect(await postgresRows(databases.databaseUrl, tables)).toEqual([{ n: 0 }]);
  await expect(clickhouseRows(databases.clickhouseUrl, 'SELECT 1')).rejects.toThrow(
    'does not exist',
  );
  await run(databases, directory);
  await writeFile(join(directory, 'postgres', '0002_more.sql'), 'CREATE TABLE more (id int);');
  expect(await run(databases, directory, { isDryRun: true })).toEqual([
    'Postgres: would apply 0002_more',
    'ClickHouse of cell default: up to date',
  ]);
});

test.concurrent.each([
  ['postgres', 'CREATE TABLE later (id int);', 'Postgres'],
  [
    'clickhouse',
    'CREATE VIEW IF NOT EXISTS later AS SELECT id FROM visits;',
    'ClickHouse of cell default',
  ],
])(
  'an earlier version refuses to migrate a database of a later one: %s',
  async (engine, text, where) => {
    const databases = await newDatabases();
    const [directory, later] = [await newMigrations(), await newMigrations()];
    await writeFile(join(later, engine, '0002_later.sql'), text);
    await run(databases, later);
    // A pending migration of the earlier version, which must not be applied either.
    await writeFile(join(directory, 'postgres', '0003_own.sql'), 'CREATE TABLE own (id int);');
    await expect(run(databases, directory, { isLaterRefused: true })).rejects.toThrow(
      `a later version, unknown to this one: 0002_later (${where}).`,
    );
    const own = `SELECT to_regclass('own') AS name`;
    expect(await postgresRows(databases.databaseUrl, own)).toEqual([{ name: null }]);
    // `npm start` of an earlier version accepts the database.
    expect((await run(databases, directory)).join()).toContain('0002_later');
  },
);
