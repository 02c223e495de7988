// CPU priorities on a shared machine. ClickHouse gives way to ingest: rows may become visible a
// moment later, but clients wait for acknowledgements. Within ClickHouse, merges give way to
// inserts and queries, so that a spool drains first.

import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/** The default of nice(1): a tenth of the share of a program with normal priority. */
export const BESIDE_INGEST_NICE = 10;
/**
 * The kernel's lowest priority, which still gets a share: without merges, inserts would be rejected
 * in the end.
 */
export const NICE_MAX = 19;

/**
 * From 0 (normal priority) to `NICE_MAX`, for this thread and the threads it starts from now on.
 */
export function giveWay(nice: number): void {
  if (nice === 0) return;
  setPriority(nice);
  // Linux schedules sessions before their threads (sched(7), autogroup), and this process has its
  // own session.
  try {
    writeFileSync('/proc/self/autogroup', String(nice));
  } catch {
    // The kernel does not support autogroups; the priority set above is then sufficient.
  }
}

/** The engine's own settings for the same purpose, which a server's operator may set as well. */
export function enginePriority(nice: number): string[] {
  return nice === 0 ? [] : [`--os_threads_nice_value_merge_mutate=${NICE_MAX}`];
}
