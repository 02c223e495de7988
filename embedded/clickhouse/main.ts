// The embedded ClickHouse: chdb in a process of its own, behind ClickHouse's HTTP interface.
//
// node embedded/clickhouse/main.ts --data-dir DIR --port 8123 [--host 127.0.0.1] [--nice 10] [--configuration XML]
//
// A parent process connected by IPC receives `{ kind: 'listening', port }`. The process exits when
// its parent does.

import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pino from 'pino';
import { type Engine, openEngine } from './engine.ts';
import { createHttpServer, type HttpInterface } from './http-interface.ts';
import {
  CANCEL_MS,
  DRAIN_MS,
  INSERT_SLOTS,
  QUEUE_LENGTH_MAX,
  QUEUE_WAIT_MAX_MS,
  READ_SLOTS,
  START_RETRY_MS,
  THREAD_POOL_SIZE,
} from './limits.ts';
import { createLoginRequests } from './logins/login-request.ts';
import { openLoginStore } from './logins/login-store.ts';
import { makePipes } from './pipes.ts';
import { giveWay } from './priority.ts';
import { createSessions, type Sessions } from './sessions.ts';
import { createSlots } from './slots.ts';

// libuv reads the variable when the pool is first used, which happens after this line.
process.env.UV_THREADPOOL_SIZE = String(THREAD_POOL_SIZE);

const { values: options } = parseArgs({
  options: {
    'data-dir': { type: 'string' },
    port: { type: 'string', default: '8123' },
    host: { type: 'string', default: '127.0.0.1' },
    nice: { type: 'string', default: '0' },
    configuration: { type: 'string', default: '' },
  },
});
const log = pino({ name: 'clickhouse' });
const RETRY_MS = 100;
const CLOSE_IDLE_MS = 50;

try {
  await main();
} catch (error) {
  process.stderr.write(`ClickHouse did not start: ${startFailure(error)}\n`);
  process.exit(1);
}

async function main(): Promise<void> {
  const dataDirectory = options['data-dir'];
  if (dataDirectory === undefined) throw new Error('--data-dir is missing');
  const nice = Number(options.nice);
  // Must run before the engine starts its threads, which inherit the priority of their creator.
  giveWay(nice);
  const ready = Promise.withResolvers<HttpInterface>();
  const server = createHttpServer(ready.promise);
  const startedAt = Date.now();
  await retrying(startedAt, () => listen(server, Number(options.port), options.host));

  const directory = resolve(dataDirectory);
  if (/[*?{}]/.test(directory))
    throw new Error(
      `the path must not contain * ? { }, which the engine treats as wildcards: ${directory}`,
    );
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  // Paths in statements are relative to this directory, so none needs quoting.
  process.chdir(directory);
  const engine = await retrying(startedAt, () =>
    openEngine({
      directory: resolve('engine'),
      placesDirectory: resolve('access'),
      backupsDirectory: resolve('backups'),
      configuration: options.configuration,
      nice,
    }),
  );
  // The directory is locked from here on. The contents of these two were left by a kill -9.
  for (const name of ['bodies', 'pipes']) {
    rmSync(name, { recursive: true, force: true });
    mkdirSync(name, { mode: 0o700 });
  }
  const limits = { queueLengthMax: QUEUE_LENGTH_MAX, queueWaitMaxMs: QUEUE_WAIT_MAX_MS };
  const sessions = createSessions(engine);
  const store = openLoginStore('logins.json', engine);
  ready.resolve({
    sessions,
    logins: { store, ...createLoginRequests(engine, store) },
    runner: {
      engine,
      readSlots: createSlots(makePipes('pipes', READ_SLOTS), limits),
      insertSlots: createSlots([...Array(INSERT_SLOTS).keys()], limits),
    },
    bodiesDirectory: 'bodies',
    onFault: error => log.error({ err: error }, 'request failed'),
  });

  stopWhenAsked(server, engine, sessions);
  const { port } = server.address() as AddressInfo;
  process.send?.({ kind: 'listening', port });
  log.info({ port, host: options.host, version: engine.version }, 'listening');
}

async function listen(server: Server, port: number, host: string): Promise<void> {
  server.listen(port, host);
  // Rejects if 'error' is emitted first.
  await once(server, 'listening');
}

/** A previous process that is shutting down may still hold port and directory for a moment. */
async function retrying<Result>(startedAt: number, run: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (Date.now() - startedAt > START_RETRY_MS) throw error;
      await wait(RETRY_MS);
    }
  }
}

function startFailure(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE' || code === 'EACCES') {
    const reason = code === 'EACCES' ? 'cannot be opened by this user' : 'is taken';
    return `port ${options.port} ${reason}; set CLICKHOUSE_PORT to another port (0 selects a free one)`;
  }
  return message;
}

function stopWhenAsked(server: Server, engine: Engine, sessions: Sessions): void {
  let isStopping = false;
  const stop = (reason: string) => {
    if (isStopping) return;
    isStopping = true;
    log.info({ reason }, 'stopping');
    void drain(server, engine, sessions);
  };
  process.once('SIGTERM', () => stop('SIGTERM'));
  process.once('SIGINT', () => stop('SIGINT'));
  process.once('disconnect', () => stop('the parent process has exited'));
}

async function drain(server: Server, engine: Engine, sessions: Sessions): Promise<void> {
  const closed = new Promise<void>(done => server.close(() => done()));
  // Clients keep connections open; each is closed after its last response.
  const closing = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_MS);
  const done = closed.then(() => engine.idle()).then(() => true);
  let isDone = await Promise.race([done, wait(DRAIN_MS, false)]);
  if (!isDone) {
    await Promise.race([engine.cancel('1').catch(() => undefined), wait(CANCEL_MS)]);
    isDone = await Promise.race([done, wait(CANCEL_MS, false)]);
  }
  // The engine must not be closed while a statement is running. A kill is safe for its data.
  if (!isDone) process.kill(process.pid, 'SIGKILL');
  clearInterval(closing);
  sessions.close();
  engine.close();
  process.exit(0);
}
