// Who waits when the cores of one machine are full. ClickHouse beside ingest gives way to it: rows can be
// seen a moment later, an acknowledgement is waited for. Within ClickHouse merges give way to inserts
// and queries, so that a spool drains before it is tidied up.

import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/** What nice(1) gives when nothing else is said: a tenth of the share of a program beside it. */
export const BESIDE_INGEST_NICE = 10;
/** The kernel's lowest, which still gets a share: merges that never come would end in refused inserts. */
export const NICE_MAX = 19;

/** From 0 (like any other program) to `NICE_MAX`; for this thread and those it starts from now on. */
export function giveWay(nice: number): void {
  if (nice === 0) return;
  setPriority(nice);
  // Linux weighs sessions before it weighs their threads (sched(7), autogroup), and this process is
  // one of its own.
  try {
    writeFileSync('/proc/self/autogroup', String(nice));
  } catch {
    // No such kernel, or one without it: the line above then says it all.
  }
}

/** The engine's own settings for the same; an ordinary server's operator may set them as well. */
export function enginePriority(nice: number): string[] {
  return nice === 0 ? [] : [`--os_threads_nice_value_merge_mutate=${NICE_MAX}`];
}
