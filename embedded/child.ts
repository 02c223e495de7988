import { type ChildProcess, fork } from 'node:child_process';
import { waitUntilGone } from './processes.ts';

export type ChildOptions = {
  readonly name: string;
  /** Sends `{ kind: 'listening', port, operationsPort? }` once it accepts requests; exits when its parent exits. */
  readonly module: string;
  readonly args?: readonly string[];
  /** Options of node itself. */
  readonly nodeArgs?: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted while it starts: it is killed. */
  readonly signal?: AbortSignal;
  /** SIGTERM drains it. If it still runs after this time, it is killed. */
  readonly stopTimeoutMs: number;
  /** Called when it ends without having been stopped. */
  readonly onExit: (code: number | null) => void;
};

export type RunningChild = {
  readonly port: number;
  /** Undefined if its endpoints for operators are on `port`. */
  readonly operationsPort: number | undefined;
  readonly pid: number;
  stop(): Promise<void>;
  kill(): void;
};

/** Recovery may read a full spool before a program serves. */
const START_TIMEOUT_MS = 60_000;
const KILL_MS = 2_000;

/** Runs one of our programs in a separate process, which logs to the same output as this one. */
export async function startChild(options: ChildOptions): Promise<RunningChild> {
  options.signal?.throwIfAborted();
  const child = fork(options.module, [...(options.args ?? [])], {
    env: options.env,
    execArgv: [...(options.nodeArgs ?? [])],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    // A separate process group, because Ctrl-C in the terminal must not stop it before the front.
    detached: true,
  });
  let isStopping = false;
  const kill = () => void child.kill('SIGKILL');
  options.signal?.addEventListener('abort', kill, { once: true });
  const ports = await listeningPorts(child, options.name).finally(() => {
    options.signal?.removeEventListener('abort', kill);
  });
  child.once('exit', code => {
    if (!isStopping) options.onExit(code);
  });
  const pid = child.pid!;
  return {
    port: ports.port,
    operationsPort: ports.operationsPort,
    pid,
    async stop() {
      isStopping = true;
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      if (await waitUntilGone(pid, options.stopTimeoutMs)) return;
      child.kill('SIGKILL');
      await waitUntilGone(pid, KILL_MS);
    },
    kill() {
      isStopping = true;
      child.kill('SIGKILL');
    },
  };
}

type Listening = { readonly kind: 'listening'; readonly port: number; operationsPort?: number };

function listeningPorts(child: ChildProcess, name: string): Promise<Listening> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`${name} was not ready within ${START_TIMEOUT_MS / 1000} s.`));
    }, START_TIMEOUT_MS);
    child.on('message', message => {
      if (!isListening(message)) return;
      clearTimeout(timer);
      resolve(message);
    });
    child.once('error', error => {
      clearTimeout(timer);
      reject(error);
    });
    child.once('exit', (code, signal) => {
      clearTimeout(timer);
      reject(new Error(`${name} exited before it was ready (${signal ?? `exit code ${code}`}).`));
    });
  });
}

function isListening(message: unknown): message is Listening {
  if (typeof message !== 'object' || message === null) return false;
  const { kind, port } = message as { kind?: unknown; port?: unknown };
  return kind === 'listening' && typeof port === 'number';
}
