import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { type PostgresOptions, startPostgres } from '../../embedded/postgres.ts';
import { isAlive } from '../../embedded/processes.ts';
import { eventually } from '../harness/eventually.ts';
import { leftovers } from '../harness/leftovers.ts';
import { newDirectory } from '../harness/run-directory.ts';

async function start(dataDir: string, options: Partial<PostgresOptions> = {}) {
  const postgres = await startPostgres({ dataDir, port: 0, ...options });
  cleanUps.push(() => postgres.stop());
  return postgres;
}

/** The connections of an ingest node, regardless of its number of threads. */
const INGEST_CONNECTIONS = 4;

const cleanUps: (() => Promise<unknown>)[] = [];
afterAll(() => Promise.all(cleanUps.map(cleanUp => cleanUp())));

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

test.concurrent('keeps its data after a stop, in a path with a space', async () => {
  const dataDir = join(await newDirectory('postgres with a space'), 'data of mine');
  const first = await start(dataDir);
  await query(first.urls.owner, 'CREATE TABLE kept AS SELECT 42 AS answer');
  await first.stop();
  expect(isAlive(first.pid)).toBe(false);
  const second = await start(dataDir);
  expect(await query(second.urls.owner, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
});

test.concurrent('has enough connections for ingest and the API', async () => {
  const { urls } = await start(await newDirectory('postgres'));
  const [{ max } = {}] = await query(
    urls.owner,
    "SELECT current_setting('max_connections')::int AS max",
  );
  const besideIngest = 50;
  expect(max).toBeGreaterThanOrEqual(INGEST_CONNECTIONS + besideIngest);
});

test.concurrent('has three roles, none of which can bypass row-level security', async () => {
  const { urls } = await start(await newDirectory('postgres'));
  for (const [name, url] of Object.entries(urls)) {
    expect(
      await query(
        url,
        `SELECT rolname, rolsuper, rolbypassrls, rolcreaterole, rolreplication
         FROM pg_roles WHERE rolname = current_user`,
      ),
    ).toEqual([
      {
        rolname: `service_${name}`,
        rolsuper: false,
        rolbypassrls: false,
        rolcreaterole: false,
        rolreplication: false,
      },
    ]);
  }
  expect(new Set(Object.values(urls).map(url => new URL(url).password)).size).toBe(3);
});

test.concurrent('accepts no other password, and syncs commits', async () => {
  const { urls } = await start(await newDirectory('postgres'));
  const wrong = new URL(urls.system);
  wrong.password = 'guessed';
  await expect(query(wrong.href, 'SELECT 1')).rejects.toThrow('password authentication failed');
  expect(
    await query(
      urls.system,
      `SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit,
              current_setting('full_page_writes') AS pages,
              current_setting('listen_addresses') AS addresses`,
    ),
  ).toEqual([{ fsync: 'on', commit: 'on', pages: 'on', addresses: '127.0.0.1' }]);
});

test.concurrent('replaces the server of a killed supervisor', async () => {
  const dataDir = await newDirectory('postgres');
  const supervisor = fork(join(import.meta.dirname, 'start-postgres-program.ts'), [dataDir]);
  const [orphan] = (await once(supervisor, 'message')) as [{ pid: number; port: number }];
  const died = once(supervisor, 'exit');
  supervisor.kill('SIGKILL');
  await died;
  expect(isAlive(orphan.pid)).toBe(true);
  const postgres = await start(dataDir, { port: orphan.port });
  expect(isAlive(orphan.pid)).toBe(false);
  expect(postgres.port).toBe(orphan.port);
  expect(await query(postgres.urls.app, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

test.concurrent('a pid file with the pid of another program does not count as a running server', async () => {
  const dataDir = await newDirectory('postgres');
  const first = await start(dataDir);
  await first.stop();
  const cluster = join(dataDir, 'cluster');
  // This process's parent: alive, but not Postgres.
  await writeFile(join(cluster, 'postmaster.pid'), `${process.ppid}\n${cluster}\n`);
  await start(dataDir);
  expect(isAlive(process.ppid)).toBe(true);
});

test.concurrent('starts again if the creation of the cluster was interrupted', async () => {
  const dataDir = await newDirectory('postgres');
  await mkdir(join(dataDir, 'cluster.new', 'base'), { recursive: true });
  await writeFile(join(dataDir, 'cluster.new', 'PG_VERSION'), '18\n');
  await writeFile(join(dataDir, 'superuser-password'), 'left over\n');
  const { urls } = await start(dataDir);
  expect(await query(urls.owner, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  const names = await readdir(dataDir);
  expect(names).not.toContain('cluster.new');
  expect(names).not.toContain('superuser-password');
});

test.concurrent('the error for a port in use names POSTGRES_PORT', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  cleanUps.push(async () => other.close());
  const { port } = other.address() as AddressInfo;
  await expect(start(await newDirectory('postgres'), { port })).rejects.toThrow('POSTGRES_PORT');
});

test.concurrent('a second service on the same directory is refused and has no effect', async () => {
  const dataDir = await newDirectory('postgres');
  const first = await start(dataDir);
  await expect(start(dataDir)).rejects.toThrow('Another process is already running PostgreSQL in');
  expect(await query(first.urls.owner, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

test.concurrent.each([
  ['making the cluster', 'cluster.new'],
  ['the server starting', join('cluster', 'postmaster.pid')],
])('a start that is aborted with %s leaves no process running', async (_when, file) => {
  const dataDir = await newDirectory('postgres');
  const unwanted = new AbortController();
  const starting = start(dataDir, { signal: unwanted.signal });
  const refused = expect(starting).rejects.toThrow('told to stop');
  await eventually(() => stat(join(dataDir, file)), { intervalMs: 1 });
  unwanted.abort(new Error('told to stop'));
  await refused;
  expect(leftovers(dataDir)).toEqual([]);
  const { urls } = await start(dataDir);
  expect(await query(urls.owner, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

test.concurrent('reports when the server dies, and restarts on the same port', async () => {
  const dataDir = await newDirectory('postgres');
  const exits: (number | null)[] = [];
  const first = await start(dataDir, { onExit: code => exits.push(code) });
  await query(first.urls.owner, 'CREATE TABLE kept AS SELECT 42 AS answer');
  process.kill(first.pid, 'SIGKILL');
  await eventually(() => expect(exits).toHaveLength(1));
  const second = await start(dataDir, { port: first.port });
  expect(await query(second.urls.owner, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
});

test.concurrent('stops a server that ignores signals, and does not report this as a crash', async () => {
  const exits: (number | null)[] = [];
  const options = { onExit: (code: number | null) => exits.push(code) };
  const postgres = await start(await newDirectory('postgres'), options);
  process.kill(postgres.pid, 'SIGSTOP');
  await postgres.stop();
  expect(isAlive(postgres.pid)).toBe(false);
  expect(exits).toEqual([]);
});
