// The maximum number of connections per thread, chosen so that the process never runs out of file
// descriptors. Otherwise new connections would hang and segments could not be opened.

import { CONNECTIONS_MAX } from '../limits.ts';

/** Postgres, logs, timers and other descriptors of the process outside its threads. */
const PROCESS_FILES = 64;
/** Per thread: its event loop and three Postgres connections. */
const THREAD_FILES = 16;
/** Per log: its open segments, the segments being read, and connections to ClickHouse. */
const LOG_FILES = 8;
/** A process with very few descriptors still serves some connections. */
const CONNECTIONS_MIN = 8;

type ConnectionsMax = {
  readonly perThread: number;
  /** The open file limit that is sufficient for the maximum number of connections per thread. */
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
