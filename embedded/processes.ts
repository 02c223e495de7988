// Inspects processes that are no longer our children: leftovers of a killed supervisor.

import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';

const POLL_MS = 25;

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * The command line of a live process; empty if it has ended. Distinguishes our process from one
 * that reuses its process ID.
 */
export function commandLine(pid: number): Promise<string> {
  return ask(pid, 'cmdline', 'command=', readArguments);
}

/** The same, without waiting, for a process that is about to exit. */
export function commandLineNow(pid: number): string {
  try {
    return isLinux
      ? readArguments(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))
      : execFileSync('ps', psArguments(pid, 'command='), { encoding: 'utf8' }).trim();
  } catch {
    return '';
  }
}

/** The start time of a live process, in the system's own format; empty if it has ended. */
export function startTime(pid: number): Promise<string> {
  return ask(pid, 'stat', 'lstart=', stat => {
    // The second field is the program's name in brackets, which may hold anything.
    const fieldsFromThird = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fieldsFromThird[22 - 3] ?? '';
  });
}

const isLinux = process.platform === 'linux';

function readArguments(text: string): string {
  return text.replaceAll('\0', ' ').trim();
}

function psArguments(pid: number, column: string): string[] {
  return ['-ww', '-o', column, '-p', String(pid)];
}

async function ask(
  pid: number,
  file: string,
  column: string,
  read: (text: string) => string,
): Promise<string> {
  try {
    if (isLinux) return read(await readFile(`/proc/${pid}/${file}`, 'utf8'));
    const { stdout } = await promisify(execFile)('ps', psArguments(pid, column));
    return stdout.trim();
  } catch {
    // The process ended between the two calls.
    return '';
  }
}

/** Returns true once the process has ended, false if it is still running after the timeout. */
export async function waitUntilGone(pid: number, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (isAlive(pid)) {
    if (performance.now() > deadline) return false;
    await wait(POLL_MS);
  }
  return true;
}

/** Sends the signals, waiting after each, until the process has ended. */
export async function signalUntilGone(
  pid: number,
  steps: readonly { signal: NodeJS.Signals; waitMs: number }[],
): Promise<boolean> {
  for (const { signal, waitMs } of steps) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ESRCH') return true;
      throw error;
    }
    if (await waitUntilGone(pid, waitMs)) return true;
  }
  return !isAlive(pid);
}
