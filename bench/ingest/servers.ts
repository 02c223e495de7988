// The compared servers, each started as a separate process on its own cores.

import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../../embedded/ports.ts';
import type { Engines } from './engines.ts';
import { FASTIFY_TABLE } from './fastify-table.ts';
import { type OurMetrics, readOurMetrics } from './our-metrics.ts';
import { type Layout, pin } from './pinning.ts';
import { settingsVariable } from './server-process.ts';
import { WATCHER_TOKEN } from './watcher.ts';

export type ServerName = 'bare' | 'ours' | 'logged' | 'logged apart' | 'fastify';

export function needsBrokers(name: ServerName): boolean {
  return name === 'logged' || name === 'logged apart';
}

export type Server = {
  readonly pid: number;
  readonly port: number;
  /** The guarantee of a 200 response. */
  readonly durability: string;
  /** The table in which its rows become visible; undefined if none. */
  readonly table: string | undefined;
  /** The view that shows each row once. */
  readonly view: string | undefined;
  /** Processes that do ClickHouse's work for it. */
  readonly helperPids: readonly number[];
  /** Processes of ingest that accept no events but insert them. */
  readonly inserterPids: readonly number[];
  readonly metrics: () => Promise<OurMetrics | undefined>;
  readonly stop: () => Promise<void>;
};

const ROOT = join(import.meta.dirname, '..', '..');
/** Enough for minutes of the steady load without ClickHouse; a full spool would refuse events. */
const SPOOL_BYTES_MAX = 24 * 1024 ** 3;
const READY_LOOK_MS = 20;
const STOP_TIMEOUT_MS = 20_000;

export type ServerOptions = {
  readonly engines: Engines;
  readonly layout: Layout;
  /** For our server. */
  readonly threads: number;
  readonly execArgv: readonly string[];
};

export function startServer(name: ServerName, options: ServerOptions): Promise<Server> {
  const starts = {
    bare: startBare,
    ours: startOurs,
    logged: startLogged,
    'logged apart': startLoggedApart,
    fastify: startFastify,
  };
  return starts[name](options);
}

async function startBare({ engines, layout }: ServerOptions): Promise<Server> {
  const { child, port } = await startOwn(
    'bare-server.ts',
    engines.clickhouse.url,
    engines,
    layout.server,
  );
  return {
    pid: child.pid!,
    port,
    durability: 'nothing',
    table: undefined,
    view: undefined,
    helperPids: [],
    inserterPids: [],
    metrics: async () => undefined,
    stop: () => stop(child),
  };
}

async function startFastify({ engines, layout }: ServerOptions): Promise<Server> {
  const { url } = engines.clickhouse;
  const queue = await startOwn('insert-queue.ts', url, engines, layout.others);
  const queueUrl = `http://127.0.0.1:${queue.port}`;
  const { child, port } = await startOwn('fastify-server.ts', queueUrl, engines, layout.server);
  return {
    pid: child.pid!,
    port,
    durability: 'in ClickHouse, not synced',
    table: FASTIFY_TABLE,
    view: `${FASTIFY_TABLE} FINAL`,
    helperPids: [queue.child.pid!],
    inserterPids: [],
    metrics: async () => undefined,
    stop: async () => {
      await stop(child);
      await stop(queue.child);
    },
  };
}

async function startOwn(
  file: string,
  clickhouseUrl: string,
  { tenant }: Engines,
  cores: string | undefined,
): Promise<{ child: ChildProcess; port: number }> {
  const port = await freePort();
  const { writeKey, workspaceId } = tenant;
  const child = fork(join(import.meta.dirname, file), [], {
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      ...settingsVariable({ port, clickhouseUrl, writeKey, workspaceId }),
    },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    detached: true,
  });
  pin(child.pid!, cores);
  await firstMessage(child);
  return { child, port };
}

/** The real ingest, with its own spool. */
async function startOurs(options: ServerOptions): Promise<Server> {
  const { child, url, port, stop: stopAll } = await startIngest(options, {});
  return {
    ...OUR_TABLES,
    pid: child.pid!,
    port,
    durability: 'on disk: fdatasync',
    inserterPids: [],
    metrics: () => readOurMetrics(url),
    stop: stopAll,
  };
}

/** The real ingest with the replicated log, in one process. */
async function startLogged(options: ServerOptions): Promise<Server> {
  const server = await startIngest(options, logEnvironment(options));
  return {
    ...OUR_TABLES,
    pid: server.child.pid!,
    port: server.port,
    durability: IN_THE_LOG,
    inserterPids: [],
    metrics: () => readOurMetrics(server.url),
    stop: server.stop,
  };
}

/** The same in two processes: one accepts events, the other inserts them. */
async function startLoggedApart(options: ServerOptions): Promise<Server> {
  const environment = logEnvironment(options);
  const accepting = await startIngest(options, { ...environment, INGEST_ROLE: 'accept' });
  const inserting = await startIngest(
    { ...options, threads: 1 },
    { ...environment, INGEST_ROLE: 'insert' },
  );
  return {
    ...OUR_TABLES,
    pid: accepting.child.pid!,
    port: accepting.port,
    durability: IN_THE_LOG,
    inserterPids: [inserting.child.pid!],
    metrics: async () => {
      const { syncedBytes } = await readOurMetrics(accepting.url);
      return { ...(await readOurMetrics(inserting.url)), syncedBytes };
    },
    stop: async () => void (await Promise.all([accepting.stop(), inserting.stop()])),
  };
}

const OUR_TABLES = { table: 'events_raw', view: 'events', helperPids: [] } as const;
const IN_THE_LOG = 'in memory of all in-sync brokers';

/** Topics of its own, so that a measurement does not read the records of the one before. */
function logEnvironment({ engines }: ServerOptions): Record<string, string> {
  return { LOG_BROKERS: engines.brokers!.addresses, LOG_TOPIC_PREFIX: `bench-${randomUUID()}` };
}

async function startIngest(
  { engines, layout, threads, execArgv }: ServerOptions,
  environment: Readonly<Record<string, string>>,
): Promise<{ child: ChildProcess; port: number; url: string; stop: () => Promise<void> }> {
  const directory = await mkdtemp(join(engines.directory, 'ingest-'));
  const child = fork(join(ROOT, 'ingest', 'main.ts'), [], {
    env: {
      PATH: process.env.PATH,
      DATA_DIR: directory,
      INGEST_PORT: '0',
      INGEST_HOST: '127.0.0.1',
      INGEST_THREADS: String(threads),
      LOG_LEVEL: 'error',
      SPOOL_MAX_BYTES: String(SPOOL_BYTES_MAX),
      UV_THREADPOOL_SIZE: '16',
      INTERNAL_TOKEN: WATCHER_TOKEN,
      DATABASE_SYSTEM_URL: engines.databaseUrl,
      CLICKHOUSE_URL: engines.clickhouse.url,
      ...environment,
    },
    execArgv: [...execArgv],
    // Its log is written to our stderr, because stdout is for the table or JSON.
    stdio: ['ignore', process.stderr, 'inherit', 'ipc'],
    // In its own process group, so that Ctrl-C in the terminal only reaches the benchmark, which
    // then ends it.
    detached: true,
  });
  pin(child.pid!, layout.server);
  const { port } = (await firstMessage(child)) as { port: number };
  const url = `http://127.0.0.1:${port}`;
  while (!(await fetch(`${url}/readyz`)).ok) await wait(READY_LOOK_MS);
  const stopIt = async () => {
    await stop(child);
    await rm(directory, { recursive: true, force: true });
  };
  return { child, port, url, stop: stopIt };
}

async function firstMessage(child: ChildProcess): Promise<unknown> {
  const gone = once(child, 'exit').then(([code]) => {
    throw new Error(`A server exited at start: ${code}`);
  });
  const [message] = (await Promise.race([once(child, 'message'), gone])) as [unknown];
  return message;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await gone;
  clearTimeout(timer);
}
