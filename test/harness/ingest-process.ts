// A real ingest process for a test file, with a data directory of its own that survives restarts.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest';
import { eventually } from './eventually.ts';
import { send } from './http.ts';
import { onEveryThread } from './on-every-thread.ts';
import { QUICK_START_ARGS, quickStartEnvironment } from './quick-start.ts';
import { newDirectory } from './run-directory.ts';
import { RUN_DIRECTORY_VARIABLE } from './run-directory-variable.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const START_TIMEOUT_MS = 40_000;
/** What ingest promises: SIGTERM to exit. The rest is for a busy machine. */
const STOP_TIMEOUT_MS = 30_000 + 5_000;
const LOG_LINES_MAX = 400;

export type IngestOptions = {
  readonly threads?: number;
  /** False for a process that listens but can't be ready, since something it needs is away. */
  readonly isReadinessAwaited?: boolean;
  readonly env?: Readonly<Record<string, string>>;
};

export type Exit = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

export type IngestProcess = {
  /** `http://127.0.0.1:<port>`, of the present process. */
  readonly url: string;
  readonly pid: number;
  readonly dataDirectory: string;
  isRunning(): boolean;
  /** What it wrote lately, to stdout and stderr. */
  logs(): string;
  /** The lines it wrote lately to stdout. */
  stdoutLines(): readonly string[];
  /** SIGTERM; resolves when the process is gone. */
  stop(): Promise<Exit>;
  kill9(): Promise<Exit>;
  /** Starts again on the same data directory, with other variables where given. */
  restart(env?: Readonly<Record<string, string>>, isReadinessAwaited?: boolean): Promise<void>;
};

/** One process for all tests of a file. Each test fails if the process dies under it. */
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

export async function startIngest(options: IngestOptions = {}): Promise<IngestProcess> {
  const dataDirectory = await newDirectory('ingest');
  let env = environment(dataDirectory, options);
  let current = await launch(env);
  const ingest: IngestProcess = {
    get url() {
      return `http://127.0.0.1:${current.port}`;
    },
    get pid() {
      return current.child.pid!;
    },
    dataDirectory,
    isRunning: () => isRunning(current.child),
    logs: () => current.logs.join('\n'),
    stdoutLines: () => current.stdout,
    stop: () => end(current, 'SIGTERM'),
    kill9: () => end(current, 'SIGKILL'),
    async restart(changes = {}, isReadinessAwaited = true) {
      if (isRunning(current.child)) throw new Error('stop or kill ingest before a restart');
      env = { ...env, ...changes };
      current = await launch(env);
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

/** Answers 200 on /readyz. */
export async function isReady(ingest: IngestProcess): Promise<boolean> {
  return (await send(`${ingest.url}/readyz`, { method: 'GET' })).status === 200;
}

type Running = { child: ChildProcess; port: number; logs: string[]; stdout: string[] };

function environment(
  dataDirectory: string,
  { threads = 2, env = {} }: IngestOptions,
): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    [RUN_DIRECTORY_VARIABLE]: inject('runDirectory'),
    ...quickStartEnvironment(inject('runDirectory')),
    DATA_DIR: dataDirectory,
    INGEST_PORT: '0',
    INGEST_THREADS: String(threads),
    DATABASE_SYSTEM_URL: inject('databaseUrls').system,
    CLICKHOUSE_URL: inject('clickhouseUrl'),
    ...env,
  };
}

async function launch(env: Record<string, string>): Promise<Running> {
  const child = fork(join(ROOT, 'ingest', 'main.ts'), [], {
    cwd: ROOT,
    env,
    execArgv: [...QUICK_START_ARGS],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const { logs, stdout } = captureLogs(child);
  let timer: NodeJS.Timeout | undefined;
  try {
    const port = await new Promise<number>((resolve, reject) => {
      child.on('message', message => {
        if (isListening(message)) resolve(message.port);
      });
      child.once('error', reject);
      child.once('exit', (code, signal) => reject(new Error(`exited: ${code ?? signal}`)));
      timer = setTimeout(() => reject(new Error('said nothing in time')), START_TIMEOUT_MS);
    });
    return { child, port, logs, stdout };
  } catch (error) {
    child.kill('SIGKILL');
    throw new Error(`ingest did not start. Its log:\n${logs.join('\n')}`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

function isListening(message: unknown): message is { kind: 'listening'; port: number } {
  return (
    typeof message === 'object' &&
    message !== null &&
    'kind' in message &&
    message.kind === 'listening' &&
    'port' in message &&
    typeof message.port === 'number'
  );
}

function captureLogs(child: ChildProcess): { logs: string[]; stdout: string[] } {
  const [logs, stdout]: [string[], string[]] = [[], []];
  keepLines(child.stdout, [logs, stdout]);
  keepLines(child.stderr, [logs]);
  return { logs, stdout };
}

function keepLines(stream: Readable | null, into: readonly string[][]): void {
  if (stream === null) return;
  createInterface({ input: stream }).on('line', line => {
    for (const lines of into) {
      lines.push(line);
      if (lines.length > LOG_LINES_MAX) lines.shift();
    }
  });
}

function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}

async function end({ child, logs }: Running, signal: NodeJS.Signals): Promise<Exit> {
  if (isRunning(child)) {
    const gone = once(child, 'exit');
    child.kill(signal);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        child.kill('SIGKILL');
        reject(new Error(`ingest ignored ${signal}. Its log:\n${logs.join('\n')}`));
      }, STOP_TIMEOUT_MS);
    });
    await Promise.race([gone, late]).finally(() => clearTimeout(timer));
  }
  return { code: child.exitCode, signal: child.signalCode };
}
