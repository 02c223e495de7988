// Reads one partition of a topic for as long as a session lasts: takes neighboring records, passes
// them to `handle`, and commits the offset behind them. With `openBlock`, the range is committed
// before the first attempt; a member that finds such a range takes exactly the same records.

import type { Clock } from '../clock.ts';
import type { Freshness } from '../insert/insert-block.ts';
import { LOG_BLOCK_AGE_MS, RETRY_WAIT_MAX_MS } from '../limits.ts';
import { cutRange } from './cut-range.ts';
import type { LogRecord, RecordQueue } from './record-queue.ts';

export type PartitionState = {
  readonly partition: number;
  /** The offset of the next record to apply, or to look at again. */
  position: bigint;
  /** Records before this offset were applied by an earlier session. */
  readonly delivered: bigint;
  /** The end of the range that an earlier member may have tried; undefined if there is none. */
  readonly openEnd: bigint | undefined;
  /** Records before this offset may have been tried by an earlier member. */
  readonly triedEnd: bigint;
  /** When the oldest record of the current range was accepted, by the wall clock. */
  oldestAtMs: number | undefined;
  readonly queue: RecordQueue;
};

export type PartitionReaderOptions = {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Resolves to true once the rows are applied; false if the session ended before. */
  readonly handle: (
    records: readonly LogRecord[],
    freshness: Freshness,
    state: PartitionState,
  ) => Promise<boolean>;
  /** Commits the range of a block durably. Undefined if the order of attempts does not matter. */
  readonly openBlock?: (state: PartitionState, end: bigint) => Promise<void>;
  /** Commits that all records before `end` are applied. */
  readonly commit: (state: PartitionState, end: bigint) => Promise<void>;
  readonly onFailure: (error: unknown) => void;
};

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
  const isDelivered = end <= state.delivered;
  if (options.openBlock !== undefined && !isDelivered && state.openEnd !== end)
    await options.openBlock(state, end);
  if (signal.aborted) return false;
  const isTried = isRepeated || state.position < state.triedEnd;
  const freshness = isTried ? 'maybe in parts' : 'never tried';
  if (!(await options.handle(records, freshness, state)) || signal.aborted) return false;
  if (!isDelivered) await options.commit(state, end);
  return true;
}

/** The end of the next range once all of its records are waiting; undefined after the signal. */
async function nextEnd(
  { position, delivered, openEnd, queue }: PartitionState,
  { signal, clock }: PartitionReaderOptions,
): Promise<bigint | undefined> {
  if (openEnd !== undefined && position === delivered) {
    while (!signal.aborted && queue.nextOffset < openEnd)
      await queue.arrival(LOG_BLOCK_AGE_MS, signal);
    return signal.aborted ? undefined : openEnd;
  }
  // A range is either delivered or new, because only a new one is committed.
  const last = position < delivered ? delivered : undefined;
  while (!signal.aborted) {
    const records = queue.waiting().filter(({ offset }) => last === undefined || offset < last);
    const isWhole = last !== undefined && queue.nextOffset >= last;
    const cut = cutRange(records, clock.monotonicMs());
    if ('end' in cut) return cut.end;
    if (isWhole) return last;
    await queue.arrival(cut.waitMs, signal);
  }
  return undefined;
}
