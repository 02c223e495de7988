// The embedded PostgreSQL, on the loopback interface and in its own directory. It outlives
// a killed supervisor; the next start on the directory stops it first.

import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdir, realpath } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { lockDirectory } from '../ingest/spool/directory-lock.ts';
import type { DatabaseUrls } from '../schema/environment/database-urls.ts';
import { freePort, LOOPBACK, requireFreePort } from './ports.ts';
import {
  clusterDirectory,
  clusterOwner,
  ensureCluster,
  postgresEnvironment,
} from './postgres/cluster.ts';
import { nativePostgres } from './postgres/native.ts';
import { endPostmaster, readPidFile, stopOrphan, stopPostmaster } from './postgres/postmaster.ts';
import { ensureRoles } from './postgres/roles.ts';
import { type Launch, unprivilegedLaunch } from './postgres/unprivileged.ts';

export type PostgresOptions = {
  dataDir: string;
  /** 0 selects a free port. */
  port: number;
  /** Called when the server ends without having been stopped. */
  onExit?: (code: number | null) => void;
  onLog?: (line: string) => void;
  /** If aborted during the start, everything that was started is stopped, and the start fails. */
  signal?: AbortSignal;
};

export type RunningPostgres = {
  port: number;
  pid: number;
  urls: DatabaseUrls;
  /** Bounded in time: fast, then immediate, then killed. */
  stop(): Promise<void>;
  /** Stops immediately, without a checkpoint. The next start replays the write-ahead log. */
  kill(): void;
};

export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const native = nativePostgres();
  await makeDirectory(options.dataDir);
  const dataDir = await realpath(options.dataDir);
  const lock = lockDirectory(dataDir);
  if (lock === 'taken')
    throw new Error(`Another process is already running PostgreSQL in ${dataDir}.`);
  try {
    const cluster = clusterDirectory(dataDir);
    const launch = unprivilegedLaunch(await clusterOwner(dataDir), [native.postgres, cluster]);
    await stopOrphan(cluster);
    options.signal?.throwIfAborted();
    if (options.port !== 0) await requireFreePort(options.port, 'POSTGRES_PORT');
    const passwords = await ensureCluster(dataDir, native.initdb, launch, options.signal);
    const server = await startServer(native.postgres, cluster, launch, options);
    try {
      const urls = await ensureRoles(server.port, passwords);
      options.signal?.throwIfAborted();
      return running(server, urls, lock, options.onExit);
    } catch (error) {
      await stopPostmaster(server.pid);
      throw error;
    } finally {
      server.hasStarted();
    }
  } catch (error) {
    lock.release();
    // The server may have been stopped during the connection attempt, which is not an error.
    options.signal?.throwIfAborted();
    throw error;
  }
}

function running(
  server: Server,
  urls: DatabaseUrls,
  lock: { release(): void },
  onExit: PostgresOptions['onExit'],
): RunningPostgres {
  let isStopping = false;
  void server.exited.then(code => {
    lock.release();
    if (!isStopping) onExit?.(code);
  });
  return {
    port: server.port,
    pid: server.pid,
    urls,
    async stop() {
      isStopping = true;
      if (server.child.exitCode !== null || server.child.signalCode !== null) return;
      await stopPostmaster(server.pid);
      await server.exited;
    },
    kill() {
      isStopping = true;
      server.child.kill('SIGQUIT');
    },
  };
}

async function makeDirectory(directory: string): Promise<void> {
  const firstMade = await mkdir(directory, { recursive: true, mode: 0o711 });
  // When started by root, the server runs as another user, who needs access; a strict umask removed
  // it.
  if (firstMade !== undefined && process.getuid?.() === 0) await chmod(directory, 0o711);
}

type Server = {
  child: ChildProcess;
  pid: number;
  port: number;
  exited: Promise<number | null>;
  /** From then on, the signal that aborts a start has no effect. */
  hasStarted(): void;
};

/** Recovery after a crash replays the write-ahead log first. */
const START_TIMEOUT_MS = 120_000;
/** Another attempt may succeed: another program took the free port, or the children of
 * a killed server still hold its shared memory for a moment. */
const TRANSIENT = /Address already in use|pre-existing shared memory block/;
const ATTEMPTS_MAX = 20;
const ATTEMPT_WAIT_MS = 250;

async function startServer(
  postgres: string,
  cluster: string,
  launch: Launch,
  options: PostgresOptions,
): Promise<Server> {
  for (let attempt = 1; ; attempt++) {
    const port = options.port === 0 ? await freePort() : options.port;
    options.signal?.throwIfAborted();
    const outcome = await attemptStart(postgres, cluster, port, launch, options);
    if ('child' in outcome) return outcome;
    options.signal?.throwIfAborted();
    if (!TRANSIENT.test(outcome.log) || attempt === ATTEMPTS_MAX) {
      throw new Error(`PostgreSQL in ${cluster} did not start:\n${outcome.log}`);
    }
    await wait(ATTEMPT_WAIT_MS);
  }
}

/** A running server, or its output before it exited. */
async function attemptStart(
  postgres: string,
  cluster: string,
  port: number,
  launch: Launch,
  { onLog, signal }: PostgresOptions,
): Promise<Server | { log: string }> {
  const settings = Object.entries({ ...SETTINGS, port: `${port}` });
  const { file, args, ...user } = launch.command(postgres, [
    '-D',
    cluster,
    ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]);
  const child = spawn(file, args, {
    ...user,
    cwd: '/',
    env: postgresEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe'],
    // A separate process group, because Ctrl-C in the terminal must not stop it before its clients.
    detached: true,
  });
  // Immediately, because the caller may be about to exit; waitUntilReady handles a server that
  // hangs.
  const quit = () => void child.kill('SIGQUIT');
  signal?.addEventListener('abort', quit, { once: true });
  const hasStarted = () => signal?.removeEventListener('abort', quit);
  const log: string[] = [];
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    for (const line of text.split('\n').filter(Boolean)) {
      log.push(line);
      if (log.length > LOG_LINES_KEPT) log.shift();
      onLog?.(line);
    }
  });
  const exited = new Promise<number | null>(resolve => {
    child.once('error', error => {
      log.push(error.message);
      resolve(null);
    });
    child.once('close', resolve);
    // A hanging child of the server can keep its log open after the server has exited.
    child.once('exit', code => setTimeout(resolve, LOG_CLOSE_MS, code));
  });
  const isReady = await waitUntilReady(cluster, child, exited, signal);
  if (isReady) return { child, pid: child.pid!, port, exited, hasStarted };
  hasStarted();
  return { log: log.join('\n') };
}

const READY_POLL_MS = 20;
const LOG_LINES_KEPT = 50;
const LOG_CLOSE_MS = 1_000;

async function waitUntilReady(
  cluster: string,
  child: ChildProcess,
  exited: Promise<unknown>,
  signal: AbortSignal | undefined,
) {
  let hasExited = false;
  void exited.then(() => {
    hasExited = true;
  });
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (!hasExited) {
    if (signal?.aborted || performance.now() > deadline) {
      if (child.pid !== undefined) await endPostmaster(child.pid);
      break;
    }
    const file = await readPidFile(cluster);
    if (file?.pid === child.pid && file?.status === 'ready') return true;
    await wait(READY_POLL_MS);
  }
  return false;
}

const SETTINGS = {
  listen_addresses: LOOPBACK,
  // The path of a socket may exceed the system's limit, so all connections use the loopback
  // interface.
  unix_socket_directories: '',
  // The defaults, set explicitly because acknowledged work depends on them.
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  // Small, because the machine also runs ClickHouse and the service.
  shared_buffers: '128MB',
  // The four connections of ingest, the API's pools, and some for other programs and manual inspection.
  max_connections: '300',
  max_wal_size: '512MB',
  // Under load, a new database creates a log file every few seconds. Filling each with zeros first delayed
  // all commits by about 50 ms. Synced data is equally durable without this.
  wal_init_zero: 'off',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'warning',
  logging_collector: 'off',
};
