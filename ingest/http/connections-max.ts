// How many connections a thread may have, so that the process never runs out of file descriptors:
// then the system would leave new connections waiting, and segments could not be opened.

import { CONNECTIONS_MAX } from '../limits.ts';

/** Postgres, logs, timers and what else a process has open beside its threads. */
const PROCESS_FILES = 64;
/** Of a thread: its event loop, three connections to Postgres. */
const THREAD_FILES = 16;
/** Of a log: its open segments, those that are read, and connections to ClickHouse. */
const LOG_FILES = 8;
/** A process with hardly any descriptors still serves somebody. */
const CONNECTIONS_MIN = 8;

export type ConnectionsMax = {
  readonly perThread: number;
  /** The limit of open files with which no thread has to have fewer than it could. */
  readonly openFilesNeeded: number;
};

export function connectionsMax(
  openFilesMax: number | undefined,
  threads: number,
  logs: number,
): ConnectionsMax {
  const ownFiles = PROCESS_FILES + threads * THREAD_FILES + logs * LOG_FILES;
  const openFilesNeeded = ownFiles + threads * CONNECTIONS_MAX;
  if (openFilesMax === undefined) return { perThread: CONNECTIONS_MAX, openFilesNeeded };
  const left = Math.floor((openFilesMax - ownFiles) / threads);
  return {
    perThread: Math.min(CONNECTIONS_MAX, Math.max(CONNECTIONS_MIN, left)),
    openFilesNeeded,
  };
}
