// Looking at processes that are not our children any more: what a killed supervisor left behind.

import { execFile } from 'node:child_process';
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

/** How a live process was called; empty when it is gone. Tells ours from one that got its pid. */
export async function commandLine(pid: number): Promise<string> {
  try {
    if (process.platform === 'linux') {
      return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ').trim();
    }
    const { stdout } = await promisify(execFile)('ps', ['-ww', '-o', 'command=', '-p', `${pid}`]);
    return stdout.trim();
  } catch {
    // Gone between the question and the answer.
    return '';
  }
}

/** True once the process is gone, false when it still runs after the time. */
export async function waitUntilGone(pid: number, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (isAlive(pid)) {
    if (performance.now() > deadline) return false;
    await wait(POLL_MS);
  }
  return true;
}

/** Signals, each followed by its wait, until the process is gone. */
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
