// The server process, identified by the pid file in PostgreSQL's data directory.

import { readFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { commandLine, commandLineNow, isAlive, signalUntilGone } from '../processes.ts';

/** Disconnects clients and writes a checkpoint; a small cluster needs well under a second. */
const FAST_STOP_MS = 5_000;
/** Ends immediately; the next start replays the write-ahead log. */
const IMMEDIATE_STOP_MS = 3_000;
const KILL_MS = 2_000;
const POLL_MS = 20;

export type PidFile = { readonly pid: number; readonly status: string };

/** PostgreSQL's own file: the pid is its first line, the status its eighth. */
export async function readPidFile(cluster: string): Promise<PidFile | undefined> {
  try {
    const lines = (await readFile(join(cluster, 'postmaster.pid'), 'utf8')).split('\n');
    const pid = pidIn(lines[0] ?? '');
    return pid === undefined ? undefined : { pid, status: (lines[7] ?? '').trim() };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function pidIn(text: string): number | undefined {
  const pid = Number.parseInt(text, 10);
  return pid > 0 ? pid : undefined;
}

/**
 * Stops a server that a killed supervisor left running on this cluster. The caller holds the
 * directory's lock, so no other process uses it.
 */
export async function stopOrphan(cluster: string): Promise<void> {
  const left = await readPidFile(cluster);
  if (left === undefined || !isAlive(left.pid)) return;
  if ((await commandLine(left.pid)).includes(` -D ${cluster} `)) {
    await stopPostmaster(left.pid);
  } else {
    // Another program has reused the process ID. PostgreSQL would mistake that program for a running server.
    await rm(join(cluster, 'postmaster.pid'), { force: true });
  }
}

/**
 * For a process that has stopped its server and is about to exit: ensures that the server has
 * ended. Waits without the event loop, which may have stopped.
 */
export function killPostmaster(cluster: string, timeoutMs: number): void {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const pid = pidInFile(join(cluster, 'postmaster.pid'));
    if (pid === undefined || !commandLineNow(pid).includes(` -D ${cluster} `)) return;
    if (performance.now() > deadline) {
      process.kill(pid, 'SIGKILL');
      return;
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS);
  }
}

function pidInFile(file: string): number | undefined {
  try {
    return pidIn(readFileSync(file, 'utf8'));
  } catch {
    // No server, or a server that is still starting.
    return undefined;
  }
}

/**
 * For a server that has not accepted connections yet: there is no data to write and no client to
 * notify.
 */
export async function endPostmaster(pid: number): Promise<void> {
  const isGone = await signalUntilGone(pid, [
    { signal: 'SIGQUIT', waitMs: IMMEDIATE_STOP_MS },
    { signal: 'SIGKILL', waitMs: KILL_MS },
  ]);
  if (!isGone) throw new Error(`PostgreSQL (process ${pid}) cannot be killed.`);
}

export async function stopPostmaster(pid: number): Promise<void> {
  const isGone = await signalUntilGone(pid, [
    { signal: 'SIGINT', waitMs: FAST_STOP_MS },
    { signal: 'SIGQUIT', waitMs: IMMEDIATE_STOP_MS },
    { signal: 'SIGKILL', waitMs: KILL_MS },
  ]);
  if (!isGone) throw new Error(`PostgreSQL (process ${pid}) cannot be stopped.`);
}
