// The fetched records of one partition, between the fetch loop and the reader of the partition.

import type { Clock } from '../clock.ts';
import { firstIndex } from '../spool/first-index.ts';
import type { SegmentContents } from '../spool/read-segment.ts';

export type LogRecord = {
  readonly offset: bigint;
  /** Undefined if the record is damaged or a copy of an earlier one. */
  readonly contents: SegmentContents | undefined;
  readonly bytes: number;
  /** By the monotonic clock. */
  readonly fetchedAtMs: number;
  /** By the wall clock of the node that accepted its rows. */
  readonly createdAtMs: number;
};

export class RecordQueue {
  private readonly records: LogRecord[] = [];
  private readonly waits = new Set<Wait>();
  /** The size of the waiting records. */
  bytes = 0;
  /** The offset of the next record to fetch. */
  nextOffset: bigint;

  constructor(nextOffset: bigint) {
    this.nextOffset = nextOffset;
  }

  push(record: LogRecord): void {
    this.records.push(record);
    this.bytes += record.bytes;
    this.nextOffset = record.offset + 1n;
    for (const { isEnough, arrived } of this.waits) if (isEnough()) arrived.abort();
  }

  /** The waiting records, oldest first. */
  waiting(): readonly LogRecord[] {
    return this.records;
  }

  /** Removes and returns the records before this offset. */
  takeBefore(end: bigint): LogRecord[] {
    const count = firstIndex(this.records, ({ offset }) => offset >= end);
    const taken = this.records.splice(0, count);
    for (const { bytes } of taken) this.bytes -= bytes;
    return taken;
  }

  /**
   * Resolves at the first record after which there is enough, after `timeoutMs`, or when the signal
   * is aborted.
   */
  async arrival(
    isEnough: () => boolean,
    timeoutMs: number,
    { clock, signal }: Waiting,
  ): Promise<void> {
    const wait = { isEnough, arrived: new AbortController() };
    this.waits.add(wait);
    await clock.sleep(timeoutMs, AbortSignal.any([signal, wait.arrived.signal]));
    this.waits.delete(wait);
  }
}

type Wait = { readonly isEnough: () => boolean; readonly arrived: AbortController };
type Waiting = { readonly clock: Pick<Clock, 'sleep'>; readonly signal: AbortSignal };
