// `npm run backup`, as an operator runs it: real processes, real databases, and a restore into new
// ones that must contain everything that was acknowledged before the spool was copied.

import { randomBytes } from 'node:crypto';
import { appendFile, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { createClient } from '@clickhouse/client';
import { expect, inject, test } from 'vitest';
import type { Manifest } from '../../backup/manifest.ts';
import { startClickHouse } from '../../embedded/clickhouse/process.ts';
import { backup, type Result } from '../harness/backup-command.ts';
import { eventOf, newMessageId } from '../harness/batch.ts';
import { expectAccepted, liveTenant, postEvents } from '../harness/batch-client.ts';
import { EACH_ONCE, tally, untilDrained } from '../harness/copies.ts';
import { type IngestProcess, startIngest } from '../harness/ingest-process.ts';
import { useClickHouse } from '../harness/own-clickhouse.ts';
import { ownDatabase } from '../harness/own-database.ts';
import { newDirectory } from '../harness/run-directory.ts';
import { createTenant, sql, type Tenant } from '../harness/tenant.ts';

let clickhouseDirectory = '';
const clickhouse = useClickHouse(async () => {
  clickhouseDirectory = await newDirectory('backed-up-clickhouse');
  return clickhouseDirectory;
});

type Environment = Readonly<Record<string, string>>;

/** Shows the reason of a failure. */
async function backed(args: readonly string[], env: Environment = {}): Promise<Result> {
  const result = await backup(args, env);
  expect(result.code, result.stderr).toBe(0);
  return result;
}

/** A database without tables. */
async function emptyDatabase(): Promise<string> {
  const name = `restored_${randomBytes(8).toString('hex')}`;
  await sql(`CREATE DATABASE ${name}`);
  const url = new URL(inject('databaseUrls').owner);
  url.pathname = `/${name}`;
  return url.href;
}

/** Each batch has an `identify` of a new person, which ends in Postgres. */
async function sendEvents(ingest: IngestProcess, tenant: Tenant): Promise<string[]> {
  const ids = Array.from({ length: 10 }, newMessageId);
  const events = ids.map((id, index) =>
    index === 0
      ? eventOf(id, { type: '"identify"', event: undefined, userId: JSON.stringify(id) })
      : eventOf(id),
  );
  expectAccepted(await postEvents(ingest, tenant.writeKey, events), ids.length);
  await untilDrained(ingest);
  return ids;
}

test('a restored backup has each event and contact that was acknowledged before the spool was copied', async ({
  onTestFinished,
}) => {
  const database = await ownDatabase();
  const source = await startIngest({
    env: { DATABASE_SYSTEM_URL: database.system, CLICKHOUSE_URL: clickhouse().url },
  });
  onTestFinished(async () => void (await source.kill9()));
  const tenant = await liveTenant(source, { databaseUrl: database.owner });
  const directory = await newDirectory('backups');
  const [databases, spool] = [join(directory, 'databases'), join(directory, 'spool')];
  const places = {
    DATABASE_URL: database.owner,
    CLICKHOUSE_URL: clickhouse().url,
    CLICKHOUSE_BACKUPS: join(clickhouseDirectory, 'backups'),
    DATA_DIR: source.dataDirectory,
  };

  const ids = await sendEvents(source, tenant);
  const onlyDatabases = ['--only', 'clickhouse', '--only', 'postgres'];
  await backed(['create', '--to', databases, ...onlyDatabases], places);
  ids.push(...(await sendEvents(source, tenant)));
  const { DATA_DIR } = places;
  const create = ['create', '--to', spool, '--only'];
  expect(await backup([...create, 'postgres'], { DATA_DIR })).toMatchObject({ code: 2 });
  // The failed one left nothing.
  await backed([...create, 'spool'], { DATA_DIR });
  const contacts = await contactIds(database.owner);
  expect(contacts).toHaveLength(2);
  await source.stop();

  const restored = await emptyPlaces(onTestFinished);
  await backed(['restore', '--from', databases], restored);
  expect(await contactIds(restored.DATABASE_URL)).toHaveLength(1);
  await backed(['restore', '--from', spool], restored);
  const ingest = await startIngest({
    env: {
      DATABASE_SYSTEM_URL: withDatabaseOf(database.system, restored.DATABASE_URL),
      CLICKHOUSE_URL: restored.CLICKHOUSE_URL,
      DATA_DIR: restored.DATA_DIR,
    },
  });
  onTestFinished(async () => void (await ingest.kill9()));
  await untilDrained(ingest);
  const analyst = createClient({ url: restored.CLICKHOUSE_URL });
  onTestFinished(() => analyst.close());
  const queryable = {
    async rows<T>(query: string, parameters: Record<string, unknown> = {}) {
      const result = await analyst.query({
        query,
        query_params: parameters,
        format: 'JSONEachRow',
      });
      return result.json<T>();
    },
  };
  expect(await tally(queryable, 'events', tenant.workspaceId, ids)).toEqual(EACH_ONCE);
  expect(await contactIds(restored.DATABASE_URL)).toEqual(contacts);
});

test('all tables of Postgres are equal after a restore', async () => {
  const directory = await newDirectory('backups');
  const [first, second] = [join(directory, 'first'), join(directory, 'second')];
  // The database that other tests use meanwhile.
  const shared = {
    ...(await emptyPostgres()),
    DATABASE_URL: inject('databaseUrls').owner,
  };
  const only = ['--only', 'postgres'];
  const created = await backed(['create', '--to', first, ...only, '--json'], shared);
  const restored = await emptyPostgres();
  await backed(['restore', '--from', first, ...only], restored);
  await backed(['create', '--to', second, ...only], restored);
  const { postgres } = JSON.parse(created.stdout) as Manifest;
  expect(postgres!.tables.length).toBeGreaterThan(90);
  for (const { name, file } of postgres!.tables)
    expect((await linesOf(join(second, file))).sort(), name).toEqual(
      (await linesOf(join(first, file))).sort(),
    );
  const sequences = JSON.parse(await readFile(join(second, 'manifest.json'), 'utf8')) as Manifest;
  expect(sequences.postgres!.sequences).toEqual(postgres!.sequences);
});

test('verify finds changed, missing and incomplete files, and restore refuses them', async () => {
  const directory = join(await newDirectory('backups'), 'damaged');
  const places = await emptyPostgres();
  const env = { ...places, DATABASE_URL: (await ownDatabase()).owner };
  const create = ['create', '--to', directory, '--only', 'postgres'];
  await backed(create, env);
  expect(await backup(create, env)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('needs an empty folder'),
  });
  await backed(['verify', '--from', directory]);
  await appendFile(join(directory, 'postgres', 'public.contacts.copy.zst'), 'x');
  await rm(join(directory, 'postgres', 'public.devices.copy.zst'));
  const verified = await backup(['verify', '--from', directory]);
  expect(verified.code).toBe(1);
  expect(verified.stdout).toMatch(/public\.contacts\.copy\.zst: has \d+ bytes instead of \d+/);
  expect(verified.stdout).toMatch(/public\.devices\.copy\.zst: is missing/);
  const restore = await backup(['restore', '--from', directory, '--only', 'postgres'], places);
  expect([restore.code, restore.stderr]).toEqual([2, expect.stringContaining('is damaged')]);
  await rm(join(directory, 'manifest.json'));
  const incomplete = await backup(['verify', '--from', directory]);
  expect([incomplete.code, incomplete.stderr]).toEqual([
    2,
    expect.stringContaining('is not a complete backup'),
  ]);
});

test('a database with organizations is not overwritten', async () => {
  const directory = join(await newDirectory('backups'), 'first');
  const places = await emptyPostgres();
  const database = await ownDatabase();
  await createTenant({ databaseUrl: database.owner });
  const env = { ...places, DATABASE_URL: database.owner };
  const only = ['--only', 'postgres'];
  await backed(['create', '--to', directory, ...only], env);
  const refused = await backup(['restore', '--from', directory, ...only], env);
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringContaining('Postgres is not empty'),
  ]);
});

type Places = Readonly<
  Record<'DATABASE_URL' | 'CLICKHOUSE_URL' | 'CLICKHOUSE_BACKUPS' | 'DATA_DIR', string>
>;

/** Databases without tables, and an empty data directory. */
async function emptyPlaces(onTestFinished: (undo: () => Promise<void>) => void): Promise<Places> {
  const directory = await newDirectory('restored-clickhouse');
  const started = await startClickHouse({ dataDir: directory, port: 0 });
  onTestFinished(() => started.stop());
  const backups = join(directory, 'backups');
  return { ...(await emptyPostgres()), CLICKHOUSE_URL: started.url, CLICKHOUSE_BACKUPS: backups };
}

/** For a test that only uses Postgres. */
async function emptyPostgres(): Promise<Places> {
  return {
    DATABASE_URL: await emptyDatabase(),
    CLICKHOUSE_URL: clickhouse().url,
    CLICKHOUSE_BACKUPS: join(clickhouseDirectory, 'backups'),
    DATA_DIR: await newDirectory('restored-ingest'),
  };
}

function withDatabaseOf(url: string, other: string): string {
  const changed = new URL(url);
  changed.pathname = new URL(other).pathname;
  return changed.href;
}

async function linesOf(file: string): Promise<string[]> {
  return zstdDecompressSync(await readFile(file))
    .toString('utf8')
    .split('\n');
}

async function contactIds(databaseUrl: string): Promise<unknown[]> {
  return (await sql('SELECT user_id FROM contacts ORDER BY user_id', [], databaseUrl)).map(
    ({ user_id }) => user_id,
  );
}
