// The server process, known by the pid file that PostgreSQL keeps in its data directory.

import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { commandLine, isAlive, signalUntilGone } from '../processes.ts';

/** Disconnects clients and writes a checkpoint; a small cluster needs well under a second. */
const FAST_STOP_MS = 5_000;
/** Ends at once; the next start replays the write-ahead log. */
const IMMEDIATE_STOP_MS = 3_000;
const KILL_MS = 2_000;

export type PidFile = { readonly pid: number; readonly status: string };

/** PostgreSQL's own file: the pid is its first line, the status its eighth. */
export async function readPidFile(cluster: string): Promise<PidFile | undefined> {
  try {
    const lines = (await readFile(join(cluster, 'postmaster.pid'), 'utf8')).split('\n');
    const pid = Number.parseInt(lines[0] ?? '', 10);
    return Number.isInteger(pid) && pid > 0 ? { pid, status: (lines[7] ?? '').trim() } : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Stops a server that a killed supervisor left running on this cluster. Called by the holder of
 * the directory's lock, so nobody else can be using it.
 */
export async function stopOrphan(cluster: string): Promise<void> {
  const left = await readPidFile(cluster);
  if (left === undefined || !isAlive(left.pid)) return;
  if ((await commandLine(left.pid)).includes(` -D ${cluster} `)) {
    await stopPostmaster(left.pid);
  } else {
    // The pid went to another program since. PostgreSQL would take that for a running server.
    await rm(join(cluster, 'postmaster.pid'), { force: true });
  }
}

export async function stopPostmaster(pid: number): Promise<void> {
  const isGone = await signalUntilGone(pid, [
    { signal: 'SIGINT', waitMs: FAST_STOP_MS },
    { signal: 'SIGQUIT', waitMs: IMMEDIATE_STOP_MS },
    { signal: 'SIGKILL', waitMs: KILL_MS },
  ]);
  if (!isGone) throw new Error(`PostgreSQL (process ${pid}) can't be stopped.`);
}
