// A real ingest process for a test file, with its own data directory, which survives restarts.

import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest';
import { engines } from './engines.ts';
import { ingestEnvironment } from './environments.ts';
import { eventually } from './eventually.ts';
import { send } from './http.ts';
import { onEveryThread } from './on-every-thread.ts';
import { type Exit, startProgram } from './program.ts';
import { newDirectory } from './run-directory.ts';

const INGEST = 'ingest/main.ts';

export type IngestOptions = {
  readonly threads?: number;
  /** Instead of a new one. */
  readonly dataDirectory?: string;
  /** False for a process that listens but cannot be ready, because a dependency is unavailable. */
  readonly isReadinessAwaited?: boolean;
  readonly env?: Readonly<Record<string, string>>;
};

/** The operations of any ingest process. */
export type Ingest = {
  /** `http://127.0.0.1:<port>` of the current process. */
  readonly url: string;
};

export type IngestProcess = Ingest & {
  readonly pid: number;
  readonly dataDirectory: string;
  isRunning(): boolean;
  /** Recent output on stdout and stderr. */
  logs(): string;
  /** Recent lines on stdout. */
  stdoutLines(): readonly string[];
  /** Sends SIGTERM; resolves when the process has exited. */
  stop(): Promise<Exit>;
  kill9(): Promise<Exit>;
  /** Restarts on the same data directory, with different environment variables if given. */
  restart(env?: Readonly<Record<string, string>>, isReadinessAwaited?: boolean): Promise<void>;
};

/** One process for all tests of a file. If the process dies during a test, the test fails. */
export function useIngest(options: IngestOptions = {}): () => IngestProcess {
  let ingest: IngestProcess | undefined;
  beforeAll(async () => {
    ingest = await startIngest(options);
  });
  afterEach(() => {
    if (!ingest?.isRunning()) throw new Error(`ingest died:\n${ingest?.logs()}`);
  });
  afterAll(async () => {
    await ingest?.stop();
  });
  return () => {
    if (ingest === undefined) throw new Error('ingest starts in beforeAll; use it in tests only');
    return ingest;
  };
}

/**
 * The ingest process shared by all test files of a run, with two threads. It is started once. A
 * test that stops ingest, reads its log or counts all its work needs its own process.
 */
export function useSharedIngest(): () => Ingest {
  return () => ({ url: inject('ingestUrl') });
}

export async function startIngest(options: IngestOptions = {}): Promise<IngestProcess> {
  const { threads = 2, env: changes = {} } = options;
  const dataDirectory = options.dataDirectory ?? (await newDirectory('ingest'));
  let env = { ...ingestEnvironment(engines(), dataDirectory, threads), ...changes };
  let current = await startProgram(INGEST, env);
  const ingest: IngestProcess = {
    get url() {
      return `http://127.0.0.1:${current.port}`;
    },
    get pid() {
      return current.pid;
    },
    dataDirectory,
    isRunning: () => current.isRunning(),
    logs: () => current.lines.join('\n'),
    stdoutLines: () => current.stdout,
    stop: () => current.end('SIGTERM'),
    kill9: () => current.end('SIGKILL'),
    async restart(changes = {}, isReadinessAwaited = true) {
      if (current.isRunning()) throw new Error('stop or kill ingest before a restart');
      env = { ...env, ...changes };
      current = await startProgram(INGEST, env);
      if (isReadinessAwaited) await untilReady(ingest);
    },
  };
  if (options.isReadinessAwaited ?? true) await untilReady(ingest);
  return ingest;
}

async function untilReady(ingest: IngestProcess): Promise<void> {
  try {
    await eventually(() => onEveryThread(async () => expect(await isReady(ingest)).toBe(true)), {
      intervalMs: 10,
    });
  } catch (error) {
    await ingest.kill9();
    throw new Error(`ingest did not get ready. Its log:\n${ingest.logs()}`, { cause: error });
  }
}

/** True if /readyz returns 200. */
export async function isReady(ingest: Ingest): Promise<boolean> {
  return (await send(`${ingest.url}/readyz`, { method: 'GET' })).status === 200;
}
