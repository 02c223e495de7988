// The interface of a consumer group for the readers, so that they can be tested without a cluster.

import type { LogRecord, RecordQueue } from './record-queue.ts';

export type LogGroup = {
  /** Runs `work` for each session of this member. Resolves after the signal. */
  run(work: (session: Session) => Promise<void>, signal: AbortSignal): Promise<void>;
};

/** The period in which the member has the same partitions. */
export type Session = {
  readonly partitions: readonly number[];
  /**
   * Aborted when the partitions may belong to another member. In a process that was suspended, this
   * happens late, so another member may already be reading the same records.
   */
  readonly signal: AbortSignal;
  /** Ends this session and begins another one with the same partitions. */
  readonly renew: () => void;
  /** `sinceMs`: the time for the offset `since`; undefined if it is not needed. */
  readonly offsets: (sinceMs: number | undefined) => Promise<readonly PartitionOffsets[]>;
  /** Commits all or none. Rejects if the partitions may belong to another member. */
  readonly commit: (positions: readonly Position[]) => Promise<void>;
  /** Fetches records into the queues. Resolves after the signal. */
  readonly fetch: (feed: Feed) => Promise<void>;
};

export type Position = {
  readonly of: 'records' | 'open block';
  readonly partition: number;
  readonly offset: bigint;
};

export type PartitionOffsets = {
  readonly partition: number;
  /** The offset after the last delivered record; -1 if none was delivered. */
  readonly committed: bigint;
  /** The end of the last block that was opened; -1 if there was none. */
  readonly openEnd: bigint;
  /** The offset of the oldest record that the retention has kept. */
  readonly first: bigint;
  /** The offset after the newest record. */
  readonly highWatermark: bigint;
  /** The offset of the first record since a time; -1 if there is none. */
  readonly since: bigint;
};

export type Fetched = { readonly offset: bigint; readonly value: Buffer };

export type Feed = {
  readonly queues: ReadonlyMap<number, RecordQueue>;
  readonly read: (partition: number, record: Fetched) => Promise<LogRecord> | LogRecord;
  readonly onHighWatermark: (partition: number, offset: bigint) => void;
  /** Called with the number of records that the retention removed before they were read. */
  readonly onLost: (partition: number, records: bigint) => void;
};
