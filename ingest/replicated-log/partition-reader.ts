// Reads one partition of a topic for as long as a session lasts: takes neighboring records, passes
// them to `handle`, and commits the offset after them. With `opensBlocks`, the range is committed
// before the first attempt; a member that finds such a range takes exactly the same records.

import type { Clock } from '../clock.ts';
import { LOG_BLOCK_AGE_MS, RETRY_WAIT_MAX_MS } from '../limits.ts';
import { cutRange, isMoreThanABlock } from './cut-range.ts';
import type { Session } from './log-group.ts';
import type { LogReaderOptions } from './log-reader.ts';
import type { PartitionState } from './partition-state.ts';
import type { LogRecord } from './record-queue.ts';

export type PartitionReaderOptions = {
  readonly clock: Clock;
  readonly opensBlocks: boolean;
} & Pick<Session, 'signal' | 'commit'> &
  Pick<LogReaderOptions, 'handle' | 'verify' | 'onFailure'>;

const FIRST_WAIT_MS = 200;

/** Resolves after the signal. */
export async function readPartition(
  state: PartitionState,
  options: PartitionReaderOptions,
): Promise<void> {
  const { signal, clock } = options;
  while (!signal.aborted) {
    const end = await nextEnd(state, options);
    if (end === undefined) return;
    const records = state.queue.takeBefore(end);
    state.oldestAtMs = records[0]?.createdAtMs;
    let failures = 0;
    for (let isDone = false; !isDone; ) {
      try {
        if (!(await applyRange({ state, records, end, isRepeated: failures > 0 }, options))) return;
        isDone = true;
      } catch (error) {
        if (signal.aborted) return;
        options.onFailure(error);
        await clock.sleep(Math.min(FIRST_WAIT_MS * 2 ** failures, RETRY_WAIT_MAX_MS), signal);
        if (signal.aborted) return;
        failures++;
      }
    }
    state.position = end;
    state.oldestAtMs = undefined;
  }
}

type Range = {
  readonly state: PartitionState;
  readonly records: readonly LogRecord[];
  readonly end: bigint;
  /** Whether an attempt of this session failed. */
  readonly isRepeated: boolean;
};

/** False if the session ended before all of it was applied. */
async function applyRange(
  { state, records, end, isRepeated }: Range,
  options: PartitionReaderOptions,
): Promise<boolean> {
  const { signal } = options;
  const { partition, position } = state;
  if (end <= state.delivered) return options.verify(records, signal);
  if (options.opensBlocks && state.openEnd !== end)
    await options.commit([
      { of: 'records', partition, offset: position },
      { of: 'open block', partition, offset: end },
    ]);
  if (signal.aborted) return false;
  const isTried = isRepeated || position < state.triedEnd;
  const freshness = isTried ? 'maybe in parts' : 'never tried';
  if (!(await options.handle(records, freshness, signal)) || signal.aborted) return false;
  await options.commit([{ of: 'records', partition, offset: end }]);
  return true;
}

/** The end of the next range once all of its records are waiting; undefined after the signal. */
async function nextEnd(
  { position, delivered, openEnd, queue }: PartitionState,
  options: PartitionReaderOptions,
): Promise<bigint | undefined> {
  const { signal, clock } = options;
  if (openEnd !== undefined && position === delivered) {
    const isWhole = () => queue.nextOffset >= openEnd;
    while (!signal.aborted && !isWhole()) await queue.arrival(isWhole, LOG_BLOCK_AGE_MS, options);
    return signal.aborted ? undefined : openEnd;
  }
  // A range is either delivered or new, because only a new one is committed.
  const last = position < delivered ? delivered : undefined;
  const isWhole = () => last !== undefined && queue.nextOffset >= last;
  while (!signal.aborted) {
    const records = queue.waiting().filter(({ offset }) => last === undefined || offset < last);
    const cut = cutRange(records, clock.monotonicMs());
    if ('end' in cut) return cut.end;
    if (isWhole()) return last;
    const isEnough = () => records.length === 0 || isMoreThanABlock(queue) || isWhole();
    await queue.arrival(isEnough, cut.waitMs, options);
  }
  return undefined;
}
