import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LOCK, migrate } from '../../migrations/migrate.ts';
import {
  clickhouseRows,
  newDatabases,
  newMigrations,
  postgresRows,
  run,
  withClient,
} from './sample-migrations.ts';

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
    `${name.replace('.sql', '')} was changed after it was applied to ${where}`,
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

test.concurrent('a dry run warns of statements that are slow on large tables', async () => {
  const databases = await newDatabases();
  const directory = await newMigrations();
  await run(databases, directory);
  await writeFile(
    join(directory, 'postgres', '0002_index.sql'),
    '-- accepted: a sample\nCREATE INDEX ON people (id); CREATE TABLE others (id int); CREATE INDEX ON others (id);',
  );
  await writeFile(
    join(directory, 'clickhouse', '0002_rewrite.sql'),
    'ALTER TABLE visits MODIFY COLUMN id UInt32;',
  );
  expect(await run(databases, directory, { isDryRun: true })).toEqual([
    'Postgres: would apply 0002_index',
    '  warning: people (0 KB): builds an index and blocks writes: use CONCURRENTLY. CREATE INDEX ON people (id) Accepted: a sample',
    'ClickHouse of cell default: would apply 0002_rewrite',
    '  warning: visits (0 KB): rewrites the column in all stored rows. ALTER TABLE visits MODIFY COLUMN id UInt32',
  ]);
  const columns = `SELECT type FROM system.columns WHERE database = currentDatabase() AND table = 'visits'`;
  expect(await clickhouseRows(databases.clickhouseUrl, columns)).toEqual([{ type: 'UInt64' }]);
  const others = `SELECT to_regclass('others') AS name`;
  expect(await postgresRows(databases.databaseUrl, others)).toEqual([{ name: null }]);
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
      `a later version that this version does not know: 0002_later (${where}).`,
    );
    const own = `SELECT to_regclass('own') AS name`;
    expect(await postgresRows(databases.databaseUrl, own)).toEqual([{ name: null }]);
    // `npm start` of an earlier version accepts the database.
    expect((await run(databases, directory)).join()).toContain('0002_later');
  },
);
