// Starts one of our programs as a process and keeps its log. Used by test files and by the global
// setup, which runs outside of vitest's workers, so this imports nothing from vitest.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { QUICK_START_ARGS } from './quick-start.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const START_TIMEOUT_MS = 120_000;
/** Both programs exit within 30 s of SIGTERM. The rest is a margin for a busy machine. */
const STOP_TIMEOUT_MS = 30_000 + 30_000;
const LOG_LINES_MAX = 400;

export type Exit = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

export type Program = {
  readonly pid: number;
  readonly port: number;
  isRunning(): boolean;
  /** The latest lines of stdout and stderr. */
  readonly lines: readonly string[];
  /** The latest lines of stdout. */
  readonly stdout: readonly string[];
  /** Resolves when the process has exited. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<Exit>;
};

/**
 * Resolves when the program listens; `script` is a path relative to the root of the repository, or to
 * that of another release.
 */
export async function startProgram(
  script: string,
  env: Readonly<Record<string, string>>,
  nodeArgs: readonly string[] = [],
  root = ROOT,
): Promise<Program> {
  const child = fork(join(root, script), [], {
    cwd: root,
    env,
    execArgv: [...nodeArgs, ...QUICK_START_ARGS],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const [lines, stdout]: [string[], string[]] = [[], []];
  keepLines(child.stdout, [lines, stdout]);
  keepLines(child.stderr, [lines]);
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  try {
    const port = await listeningPort(child);
    return { pid: child.pid!, port, isRunning, lines, stdout, end };
  } catch (error) {
    child.kill('SIGKILL');
    throw new Error(`${script} did not start. Its log:\n${lines.join('\n')}`, { cause: error });
  }

  async function end(signal: NodeJS.Signals): Promise<Exit> {
    if (isRunning()) {
      const gone = once(child, 'exit');
      child.kill(signal);
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => {
          child.kill('SIGKILL');
          reject(new Error(`${script} ignored ${signal}. Its log:\n${lines.join('\n')}`));
        }, STOP_TIMEOUT_MS);
      });
      await Promise.race([gone, late]).finally(() => clearTimeout(timer));
    }
    return { code: child.exitCode, signal: child.signalCode };
  }
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

async function listeningPort(child: ChildProcess): Promise<number> {
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<number>((resolve, reject) => {
      child.on('message', message => {
        const { kind, port } = message as { kind?: string; port?: number };
        if (kind === 'listening' && port !== undefined) resolve(port);
      });
      child.once('error', reject);
      child.once('exit', (code, signal) => reject(new Error(`exited: ${code ?? signal}`)));
      timer = setTimeout(() => reject(new Error('said nothing in time')), START_TIMEOUT_MS);
    });
  } finally {
    clearTimeout(timer);
  }
}
