// Inserts the records of a range into ClickHouse, each row once. Their blocks are a pure function of
// the range, like those of a group of segments.

import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import { cutBlocks } from '../insert/block.ts';
import type { ClickHouse } from '../insert/clickhouse.ts';
import { type Freshness, type InsertBlockDeps, insertBlock } from '../insert/insert-block.ts';
import { parkRefused } from '../insert/park-row.ts';
import { onShard, shardBlocks } from '../insert/shard-blocks.ts';
import { inserterEvents } from '../observe/delivery-events.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { FileSystem } from '../spool/file-system.ts';
import type { LogRecord } from './record-queue.ts';

export type InsertRecordsDeps = {
  readonly cell: string;
  readonly clickhouse: ClickHouse;
  readonly clock: Clock;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly fs: FileSystem;
  /** For rows that neither their table nor rejected_events accepts. */
  readonly directory: string;
  readonly metrics: Metrics;
  readonly log: Logger;
};

/** Returns true once all rows are stored; false if the session ended before. */
export async function insertRecords(
  deps: InsertRecordsDeps,
  records: readonly LogRecord[],
  freshness: Freshness,
  signal: AbortSignal,
): Promise<boolean> {
  const blockDeps = blockDepsOf(deps, signal);
  const contents = records.flatMap(record => record.contents ?? []);
  for await (const { block, shardDeps } of shardBlocks(blockDeps, cutBlocks(contents)))
    if (!(await insertBlock(shardDeps, block, freshness))) return false;
  return true;
}

export function blockDepsOf(deps: InsertRecordsDeps, signal: AbortSignal): InsertBlockDeps {
  const events = inserterEvents(deps);
  const blockDeps: InsertBlockDeps = {
    ...deps,
    ...events,
    signal,
    // A range that another member finds is always counted, in case it has parts of it.
    beforeParts: async () => undefined,
    park: (block, reason) => parkRefused(onShard(blockDeps, block), events, block, reason),
  };
  return blockDeps;
}
