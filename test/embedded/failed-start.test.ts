// A start that cannot succeed, or is interrupted, leaves no process.

import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { LOCK } from '../../migrations/migrate.ts';
import { eventually } from '../harness/eventually.ts';
import { leftovers } from '../harness/leftovers.ts';
import { ownDatabase } from '../harness/own-database.ts';
import { newDirectory } from '../harness/run-directory.ts';
import { FREE_PORTS, pidOfPostgres, useServices } from './services.ts';

const { launch } = useServices();

test.concurrent.each(Object.keys(FREE_PORTS))(
  'a port in use is reported with its variable %s, and no process is left',
  async name => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const dataDir = await newDirectory('start');
    const port = String((other.address() as AddressInfo).port);
    const service = launch(dataDir, { env: { [name]: port } });
    expect(await service.ended).toBe(1);
    other.close();
    expect(service.output()).toMatch(new RegExp(`start: .*in use.*\\b${name}\\b`));
    expect(leftovers(dataDir)).toEqual([]);
  },
);

test.concurrent('a HOST of another machine is reported before anything starts', async () => {
  const dataDir = await newDirectory('start');
  // An address reserved for documentation, which no machine has.
  const service = launch(dataDir, { env: { HOST: '192.0.2.1' } });
  expect(await service.ended).toBe(1);
  expect(service.output()).toContain('Set HOST');
  await expect(readFile(join(dataDir, 'postgres', 'passwords.json'))).rejects.toThrow('ENOENT');
});

test('a signal during startup stops it', async () => {
  const dataDir = await newDirectory('start');
  const service = launch(dataDir);
  await eventually(() => readFile(join(dataDir, 'lock')), { intervalMs: 5 });
  service.process.kill('SIGINT');
  expect(await service.ended).toBe(0);
  expect(service.output()).not.toContain('Ctrl-C drains');
  expect(leftovers(dataDir)).toEqual([]);
});

test('a signal stops a start that waits for another migration', async () => {
  const { owner } = await ownDatabase();
  const holder = new pg.Client({ connectionString: owner });
  await holder.connect();
  await holder.query('SELECT pg_advisory_lock($1::bigint)', [LOCK]);
  const dataDir = await newDirectory('start');
  const env = { DATABASE_URL: owner, CLICKHOUSE_URL: inject('clickhouseUrl') };
  const service = launch(dataDir, { env });
  await eventually(() => expect(service.output()).toContain('Waiting for another migration'));
  service.process.kill('SIGTERM');
  expect(await service.ended).toBe(0);
  await holder.end();
  expect(leftovers(dataDir)).toEqual([]);
});

test('a second Ctrl-C during the first start leaves no Postgres process, even one that hangs', async () => {
  const dataDir = await newDirectory('start');
  const service = launch(dataDir);
  const postgresPid = await eventually(() => pidOfPostgres(dataDir), { intervalMs: 2 });
  process.kill(postgresPid, 'SIGSTOP');
  await eventually(() => {
    service.process.kill('SIGINT');
    expect(service.process.exitCode).toBe(1);
  });
  await service.ended;
  await eventually(() => expect(leftovers(dataDir)).toEqual([]));
});
