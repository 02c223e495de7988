// The client under test: starts its driver's command in a shell and writes one line per call to
// stdin.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Line } from './record.ts';

export type ClientSettings = {
  readonly command: string;
  readonly baseUrl: string;
  readonly writeKey: string;
  readonly storageDirectory: string;
  readonly clockOffsetMs: number;
};

export type Exit = { readonly code: number | null; readonly signal: string | null };

export type ClientProcess = {
  write(line: Line): void;
  /** Ends stdin after the last line. */
  end(): void;
  readonly exited: Promise<Exit>;
  isRunning(): boolean;
  /** Sends kill -9 to the shell and its child processes. */
  kill(): Promise<void>;
  /** The latest lines of its stdout and stderr. */
  readonly output: readonly string[];
};

const OUTPUT_LINES_MAX = 100;

export function startClient(settings: ClientSettings): ClientProcess {
  const { command, baseUrl, writeKey, storageDirectory, clockOffsetMs } = settings;
  const child = spawn(command, {
    shell: true,
    // A process group of its own, so that the shell's children end with it.
    detached: true,
    env: {
      ...process.env,
      BASE_URL: baseUrl,
      WRITE_KEY: writeKey,
      STORAGE_DIR: storageDirectory,
      CLOCK_OFFSET_MS: String(clockOffsetMs),
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const output = keepOutput(child);
  // A write to a client that has exited fails; the scenario detects the exit separately.
  child.stdin.on('error', () => undefined);
  const exited = once(child, 'close').then(([code, signal]) => ({ code, signal }) as Exit);
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  return {
    write: line => void child.stdin.write(`${JSON.stringify(line)}\n`),
    end: () => void child.stdin.end(),
    exited,
    isRunning,
    async kill() {
      killGroup(child);
      await exited;
    },
    output,
  };
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function keepOutput(child: ChildProcess): string[] {
  const lines: string[] = [];
  for (const stream of [child.stdout!, child.stderr!])
    createInterface({ input: stream }).on('line', line => {
      lines.push(line);
      if (lines.length > OUTPUT_LINES_MAX) lines.shift();
    });
  return lines;
}
