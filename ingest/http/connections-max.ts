// The maximum number of connections per thread, chosen so that the process never runs out of file
// descriptors. Otherwise new connections would hang and segments could not be opened.

import type { Logger } from 'pino';
import { readOpenFilesMax } from '../../schema/environment/open-files.ts';
import { CONNECTIONS_MAX } from '../limits.ts';

/** Postgres, logs, timers and other descriptors of the process outside its threads. */
const PROCESS_FILES = 64;
/** Per thread: its event loop, with a margin. */
const THREAD_FILES = 16;
/** Per log: its open segments, the segments being read, and connections to ClickHouse. */
const LOG_FILES = 8;
/** Per thread: the API's calls, and scrapes. An API process has a few at a time. */
export const OPERATIONS_CONNECTIONS_MAX = 500;
/** A process with very few descriptors still serves some connections. */
const CONNECTIONS_MIN = 8;

type Parts = {
  readonly threads: number;
  readonly logs: number;
  /** Undefined if operators have no port of their own. */
  readonly operations: object | undefined;
};

type ConnectionsMax = {
  readonly perThread: number;
  /** The open file limit that is sufficient for the maximum number of connections per thread. */
  readonly openFilesNeeded: number;
};

/**
 * The maximum for the open file limit of this process. Logs a warning if the limit is too low for the usual
 * maximum.
 */
export function connectionsPerThread(
  { threads, logs, operations }: Parts,
  log: Pick<Logger, 'warn'>,
): number {
  const openFilesMax = readOpenFilesMax();
  const { perThread, openFilesNeeded } = connectionsMax(
    openFilesMax,
    threads,
    logs,
    operations === undefined ? 0 : OPERATIONS_CONNECTIONS_MAX,
  );
  if (openFilesMax !== undefined && openFilesMax < openFilesNeeded)
    log.warn(
      { openFilesMax, openFilesNeeded, connectionsPerThread: perThread },
      'open file limit is low: connections beyond the maximum are closed; raise LimitNOFILE (ulimit -n)',
    );
  return perThread;
}

export function connectionsMax(
  openFilesMax: number | undefined,
  threads: number,
  logs: number,
  operationsConnections = 0,
): ConnectionsMax {
  const ownFiles =
    PROCESS_FILES + threads * (THREAD_FILES + operationsConnections) + logs * LOG_FILES;
  const openFilesNeeded = ownFiles + threads * CONNECTIONS_MAX;
  if (openFilesMax === undefined) return { perThread: CONNECTIONS_MAX, openFilesNeeded };
  const left = Math.floor((openFilesMax - ownFiles) / threads);
  return {
    perThread: Math.min(CONNECTIONS_MAX, Math.max(CONNECTIONS_MIN, left)),
    openFilesNeeded,
  };
}
