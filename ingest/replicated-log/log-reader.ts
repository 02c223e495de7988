// Reads one topic of a cell as a member of its consumer group: in each session, it queries the
// offsets of the partitions, fetches their records and applies them.

import type { Clock } from '../clock.ts';
import type { Freshness } from '../insert/insert-block.ts';
import type { Feed, LogGroup, Session } from './log-group.ts';
import { readPartition } from './partition-reader.ts';
import { type PartitionState, stateOf } from './partition-state.ts';
import type { LogRecord } from './record-queue.ts';

export type LogReaderOptions = {
  readonly group: LogGroup;
  /** Whether the range of a block is committed before its first attempt. */
  readonly opensBlocks: boolean;
  /**
   * The time since which delivered rows may have been lost; undefined if none can be. Records since
   * then are verified at the start of a session.
   */
  readonly verifySinceMs: () => Promise<number | undefined>;
  /** Whether delivered rows may have been lost since the last call. */
  readonly mayHaveLost: () => Promise<boolean>;
  readonly clock: Clock;
  /** Resolves to true once the rows are applied; false if the session ended before. */
  readonly handle: (
    records: readonly LogRecord[],
    freshness: Freshness,
    signal: AbortSignal,
  ) => Promise<boolean>;
  /** Verifies records that were applied; otherwise like `handle`. */
  readonly verify: (records: readonly LogRecord[], signal: AbortSignal) => Promise<boolean>;
  readonly onFailure: (error: unknown) => void;
} & Pick<Feed, 'read' | 'onLost'>;

/** The undelivered records of one partition. */
export type PartitionLag = {
  readonly partition: number;
  readonly records: number;
  /**
   * The age of the oldest of them; 0 if there is none, undefined if it is not known because none of
   * them has been fetched.
   */
  readonly oldestMs: number | undefined;
};

export class LogReader {
  private readonly options: LogReaderOptions;
  /** Undefined until the offsets of a session are known. */
  private states: readonly PartitionState[] | undefined;

  constructor(options: LogReaderOptions) {
    this.options = options;
  }

  /** Resolves after the signal. */
  run(signal: AbortSignal): Promise<void> {
    return this.options.group.run(session => this.runSession(session), signal);
  }

  /**
   * The undelivered records of the partitions that this member has now; undefined if unknown, for
   * example while no broker responds.
   */
  lag(): PartitionLag[] | undefined {
    const nowMs = this.options.clock.nowMs();
    return this.states?.map(state => lagOf(state, nowMs));
  }

  private async runSession(session: Session): Promise<void> {
    const { clock, opensBlocks, handle, verify, read, onLost, onFailure } = this.options;
    const { signal, commit } = session;
    try {
      const states = await this.whereTheyStand(session);
      if (states === undefined) return;
      this.states = states;
      const byPartition = new Map(states.map(state => [state.partition, state]));
      const reading = { clock, signal, opensBlocks, handle, verify, commit, onFailure };
      await Promise.all([
        session.fetch({
          queues: new Map(states.map(({ partition, queue }) => [partition, queue])),
          read,
          onHighWatermark: (partition, offset) => {
            byPartition.get(partition)!.highWatermark = offset;
          },
          onLost,
        }),
        ...states.map(state => readPartition(state, reading)),
        this.watchLoss(session),
      ]);
    } finally {
      this.states = undefined;
    }
  }

  /** Repeats until it is known; undefined if the session ends before. */
  private async whereTheyStand(session: Session): Promise<PartitionState[] | undefined> {
    const { clock, verifySinceMs, onLost, onFailure } = this.options;
    while (!session.signal.aborted) {
      try {
        const all = await session.offsets(await verifySinceMs());
        for (const { partition, committed, first } of all)
          if (committed >= 0n && committed < first) onLost(partition, first - committed);
        return all.map(stateOf);
      } catch (error) {
        if (!session.signal.aborted) onFailure(error);
        await clock.sleep(ASK_AGAIN_MS, session.signal);
      }
    }
    return undefined;
  }

  private async watchLoss({ signal, renew }: Session): Promise<void> {
    const { clock, mayHaveLost } = this.options;
    while (!signal.aborted) {
      await clock.sleep(WATCH_INTERVAL_MS, signal);
      // Without a response nothing can be verified; deliveries report the failure.
      if (!signal.aborted && (await mayHaveLost().catch(() => false))) renew();
    }
  }
}

function lagOf(state: PartitionState, nowMs: number): PartitionLag {
  const { partition, position, highWatermark, queue } = state;
  const records = Number(highWatermark > position ? highWatermark - position : 0n);
  const oldestAtMs = state.oldestAtMs ?? queue.waiting()[0]?.createdAtMs;
  if (oldestAtMs !== undefined)
    return { partition, records, oldestMs: Math.max(0, nowMs - oldestAtMs) };
  return { partition, records, oldestMs: records === 0 ? 0 : undefined };
}

const ASK_AGAIN_MS = 300;
const WATCH_INTERVAL_MS = 5_000;
