// Decides which fetched records become the next block. The choice depends on the time and on the
// fetched records, so its end is committed before the first attempt, and every later attempt takes
// the same records.

import { LOG_BLOCK_AGE_MS, LOG_BLOCK_BYTES_MAX, LOG_BLOCK_RECORDS_MAX } from '../limits.ts';
import type { LogRecord, RecordQueue } from './record-queue.ts';

export type Cut =
  /** The offset after the last record of the block. */
  | { readonly end: bigint }
  /** The block may still grow. */
  | { readonly waitMs: number };

/** `records`: the waiting records, oldest first. */
export function cutRange(records: readonly LogRecord[], nowMs: number): Cut {
  const [first] = records;
  if (first === undefined) return { waitMs: LOG_BLOCK_AGE_MS };
  let bytes = 0;
  for (const [index, record] of records.entries()) {
    bytes += record.bytes;
    const isFull = bytes > LOG_BLOCK_BYTES_MAX || index === LOG_BLOCK_RECORDS_MAX;
    if (isFull && index > 0) return { end: record.offset };
  }
  const ageMs = nowMs - first.fetchedAtMs;
  if (ageMs < LOG_BLOCK_AGE_MS) return { waitMs: LOG_BLOCK_AGE_MS - ageMs };
  return { end: records.at(-1)!.offset + 1n };
}

/** Whether the waiting records are cut without waiting for more. */
export function isMoreThanABlock(queue: Pick<RecordQueue, 'bytes' | 'waiting'>): boolean {
  return queue.bytes > LOG_BLOCK_BYTES_MAX || queue.waiting().length > LOG_BLOCK_RECORDS_MAX;
}
