// Starts the embedded ClickHouse in a process of its own.

import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { CANCEL_MS, DRAIN_MS, THREAD_POOL_SIZE } from './limits.ts';

export type ClickHouseOptions = {
  readonly dataDir: string;
  /** 0 selects a free port. */
  readonly port: number;
  readonly host?: string;
  /** The priority relative to other programs, from 0 (equal) to 19 (lowest); see priority.ts. */
  readonly nice?: number;
  /** Elements of the server's configuration, in XML; for tests of what a cluster needs. */
  readonly configuration?: string;
  /** Discards its log, which otherwise goes to our own output. */
  readonly isQuiet?: boolean;
  /** Called when the process exits without having been stopped. */
  readonly onExit?: (code: number | null) => void;
};

export type RunningClickHouse = {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Lets running statements finish, for a limited time. */
  stop(): Promise<void>;
  /** kill -9, for tests. */
  kill(): void;
};

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));
/** Loading a large directory takes seconds; the library alone maps 0.5 GB. */
const START_TIMEOUT_MS = 120_000;
/** The process's own timeouts for draining and canceling, and some time to close the engine. */
const STOP_TIMEOUT_MS = DRAIN_MS + 2 * CANCEL_MS + 2_000;
/** Enough for any message; the rest is discarded. */
const ERROR_TEXT_MAX = 10_000;

/** Resolves when the process is ready; rejects with the process's own error message. */
export async function startClickHouse(options: ClickHouseOptions): Promise<RunningClickHouse> {
  const host = options.host ?? '127.0.0.1';
  const child = fork(
    MAIN,
    [
      `--data-dir=${options.dataDir}`,
      `--port=${options.port}`,
      `--host=${host}`,
      `--nice=${options.nice ?? 0}`,
      `--configuration=${options.configuration ?? ''}`,
    ],
    {
      env: clickhouseEnvironment(),
      // stderr is for its error messages.
      execArgv: ['--disable-warning=ExperimentalWarning'],
      stdio: ['ignore', options.isQuiet ? 'ignore' : 'inherit', 'pipe', 'ipc'],
      // A separate process group, because Ctrl-C in the terminal must not stop it before its clients.
      detached: true,
    },
  );
  const port = await listeningPort(child);
  let isStopping = false;
  // Does not use once() of node:events, which rejects if 'error' is emitted first. A failed kill()
  // or send() emits one, and no caller could catch it.
  child.on('error', error => process.stderr.write(`ClickHouse's process: ${error.message}\n`));
  const exited = new Promise(resolve => child.once('exit', resolve));
  child.once('exit', code => {
    if (!isStopping) options.onExit?.(code);
  });
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    port,
    pid: child.pid!,
    async stop() {
      isStopping = true;
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
      await exited;
      clearTimeout(timer);
    },
    kill() {
      isStopping = true;
      child.kill('SIGKILL');
    },
  };
}

/** Excludes our secrets: the engine needs none of them, and its statements could read them. */
export function clickhouseEnvironment(): Record<string, string> {
  const environment: Record<string, string> = { UV_THREADPOOL_SIZE: String(THREAD_POOL_SIZE) };
  for (const name of ['PATH', 'LD_LIBRARY_PATH', 'HOME', 'TMPDIR', 'TZ', 'LANG', 'LC_ALL']) {
    const value = process.env[name];
    if (value !== undefined) environment[name] = value;
  }
  return environment;
}

function listeningPort(child: ChildProcess): Promise<number> {
  let errorText = '';
  child.stderr!.on('data', (chunk: Buffer) => {
    process.stderr.write(chunk);
    if (errorText.length < ERROR_TEXT_MAX) errorText += chunk.toString('utf8');
  });
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => {
      clearTimeout(timer);
      child.kill('SIGKILL');
      reject(new Error(`${reason}\n${errorText}`.trim()));
    };
    const timer = setTimeout(
      () => fail(`ClickHouse did not start listening within ${START_TIMEOUT_MS} ms`),
      START_TIMEOUT_MS,
    );
    child.once('error', error => fail(error.message));
    // Waits for the end of stderr, so that the error includes its last message.
    child.once('close', code => fail(`ClickHouse exited with code ${code}`));
    child.once('message', message => {
      clearTimeout(timer);
      child.removeAllListeners('close');
      resolve((message as { port: number }).port);
    });
  });
}
