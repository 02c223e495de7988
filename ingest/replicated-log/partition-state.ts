import type { PartitionOffsets } from './log-group.ts';
import { RecordQueue } from './record-queue.ts';

/** The state of a partition's reader in a session. */
export type PartitionState = {
  readonly partition: number;
  /** The offset of the next record to apply or to verify. */
  position: bigint;
  /** Records before this offset were applied by an earlier session. */
  readonly delivered: bigint;
  /** The end of the range that an earlier session may have tried; undefined if there is none. */
  readonly openEnd: bigint | undefined;
  /** Records before this offset may have been tried by an earlier session. */
  readonly triedEnd: bigint;
  /** When the oldest record of the current range was accepted, by the wall clock. */
  oldestAtMs: number | undefined;
  highWatermark: bigint;
  readonly queue: RecordQueue;
};

/**
 * The state at the start of a session. Records since `offsets.since` are verified. All records in the
 * log may have been tried by now, even if an operator has reset the committed offset.
 */
export function stateOf(offsets: PartitionOffsets): PartitionState {
  const { partition, committed, openEnd, first, highWatermark, since } = offsets;
  // If the retention has removed undelivered records, the partition continues after them.
  const isBehind = committed < first;
  const delivered = isBehind ? first : committed;
  const position = since >= first && since < delivered ? since : delivered;
  return {
    partition,
    position,
    delivered,
    openEnd: openEnd > delivered && openEnd <= highWatermark ? openEnd : undefined,
    triedEnd: highWatermark,
    oldestAtMs: undefined,
    highWatermark,
    queue: new RecordQueue(position),
  };
}
