// A backup in an S3 bucket, with a server that has S3's protocol.

import { randomBytes } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { startClickHouse } from '../../embedded/clickhouse/process.ts';
import { backup as runBackup } from '../harness/backup-command.ts';
import { eventOf, newMessageId } from '../harness/batch.ts';
import { expectAccepted, liveTenant, postEvents } from '../harness/batch-client.ts';
import { untilDrained } from '../harness/copies.ts';
import { send } from '../harness/http.ts';
import { startIngest } from '../harness/ingest-process.ts';
import { useClickHouse } from '../harness/own-clickhouse.ts';
import { ownDatabase } from '../harness/own-database.ts';
import { newDirectory } from '../harness/run-directory.ts';
import { sql } from '../harness/tenant.ts';

const BUCKET = 'backups';
const ADDRESS = `s3://${BUCKET}/nightly/2026-11-23`;

let sourceDirectory = '';
const source = useClickHouse(async () => {
  sourceDirectory = await newDirectory('backed-up-clickhouse');
  return sourceDirectory;
});
/** Files that the server accepts. */
let putsLeft = Number.POSITIVE_INFINITY;
let objects: string;
let server: S3rver;
let s3: Readonly<Record<string, string>>;

beforeAll(async () => {
  objects = await newDirectory('s3');
  server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: objects,
    configureBuckets: [{ name: BUCKET }],
  });
  server.middleware.unshift((context, next) => {
    if (context.method !== 'PUT' || putsLeft-- > 0) return next();
    context.status = 403;
    return Promise.resolve();
  });
  const { port } = await server.run();
  s3 = {
    AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${port}`,
    AWS_ACCESS_KEY_ID: 'S3RVER',
    AWS_SECRET_ACCESS_KEY: 'S3RVER',
  };
});
afterAll(() => server?.close());

function backup(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return runBackup(args, { ...s3, ...env });
}

test('a backup is created in a bucket, verified and restored', async ({ onTestFinished }) => {
  const database = await ownDatabase();
  const ingest = await startIngest({
    threads: 1,
    env: { DATABASE_SYSTEM_URL: database.system, CLICKHOUSE_URL: source().url },
  });
  onTestFinished(async () => void (await ingest.kill9()));
  const tenant = await liveTenant(ingest, { databaseUrl: database.owner });
  const ids = Array.from({ length: 20 }, newMessageId);
  const events = ids.map(id => eventOf(id));
  expectAccepted(await postEvents(ingest, tenant.writeKey, events), ids.length);
  await untilDrained(ingest);
  const places = {
    DATABASE_URL: database.owner,
    CLICKHOUSE_URL: source().url,
    CLICKHOUSE_BACKUPS: join(sourceDirectory, 'backups'),
    DATA_DIR: ingest.dataDirectory,
  };
  const created = await backup(['create', '--to', ADDRESS], places);
  expect(created, created.stderr).toMatchObject({ code: 0 });
  expect(await backup(['create', '--to', ADDRESS], places)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('already contains a backup'),
  });
  expect(await backup(['verify', '--from', ADDRESS])).toMatchObject({ code: 0 });

  const targetDirectory = await newDirectory('restored-clickhouse');
  const target = await startClickHouse({ dataDir: targetDirectory, port: 0 });
  onTestFinished(() => target.stop());
  const restored = {
    DATABASE_URL: await emptyDatabase(),
    CLICKHOUSE_URL: target.url,
    CLICKHOUSE_BACKUPS: join(targetDirectory, 'backups'),
    DATA_DIR: await newDirectory('restored-ingest'),
  };
  const loaded = await backup(['restore', '--from', ADDRESS], restored);
  expect(loaded, loaded.stderr).toMatchObject({ code: 0 });
  const answer = await send(target.url, {
    body: 'SELECT count(), uniqExact(message_id) FROM events',
  });
  expect(answer.text).toBe(`${ids.length}\t${ids.length}\n`);
  const names = 'SELECT name FROM organizations ORDER BY id';
  expect(await sql(names, [], restored.DATABASE_URL)).toEqual(await sql(names, [], database.owner));

  const object = join(objects, BUCKET, 'nightly', '2026-11-23', 'postgres');
  const changed = join(object, 'public.cells.copy.zst._S3rver_object');
  const bytes = await readFile(changed);
  bytes[bytes.length - 1]! ^= 1;
  await writeFile(changed, bytes);
  await rm(join(object, 'public.contacts.copy.zst._S3rver_object'));
  const verified = await backup(['verify', '--from', ADDRESS]);
  expect(verified.code, verified.stderr).toBe(1);
  expect(verified.stdout).toContain('public.cells.copy.zst: has changed');
  expect(verified.stdout).toContain('public.contacts.copy.zst: is missing');
});

test('an interrupted upload is not a usable backup, so run it again', async () => {
  const { owner } = await ownDatabase();
  const cut = `s3://${BUCKET}/cut-off`;
  const places = {
    DATABASE_URL: owner,
    CLICKHOUSE_URL: source().url,
    CLICKHOUSE_BACKUPS: join(sourceDirectory, 'backups'),
    DATA_DIR: await newDirectory('no-spool'),
  };
  putsLeft = 5;
  const create = ['create', '--to', cut, '--only', 'postgres'];
  expect(await backup(create, places)).toMatchObject({ code: 2 });
  expect(putsLeft).toBeLessThanOrEqual(0);
  putsLeft = Number.POSITIVE_INFINITY;
  expect(await backup(['verify', '--from', cut])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is not a complete backup'),
  });
  expect(await backup(create, places)).toMatchObject({ code: 0 });
  expect(await backup(['verify', '--from', cut])).toMatchObject({ code: 0 });
});

test.each(['s3://', 's3://bucket', 's3://bucket/'])('%s is not an address', async address => {
  const { code, stderr } = await backup(['verify', '--from', address]);
  expect([code, stderr]).toEqual([2, expect.stringContaining('s3://BUCKET/PREFIX')]);
});

async function emptyDatabase(): Promise<string> {
  const name = `restored_${randomBytes(8).toString('hex')}`;
  await sql(`CREATE DATABASE ${name}`);
  return Object.assign(new URL(inject('databaseUrls').owner), { pathname: `/${name}` }).href;
}
