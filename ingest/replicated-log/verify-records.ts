// Verifies delivered records, because ClickHouse may have lost parts that it had confirmed, and
// inserts the missing ones. Several members may do so at the same time, each with its own ranges, so
// a missing record is inserted alone: its blocks and their tokens depend on nothing else.

import { type Block, blockOfShares, cutBlocks } from '../insert/block.ts';
import { type InsertBlockDeps, insertBlock } from '../insert/insert-block.ts';
import { QUESTION_TIMEOUT_MS } from '../limits.ts';
import type { LogRecord } from './record-queue.ts';

/** Returns true once all rows are stored; false if the session ended before. */
export async function verifyRecords(
  deps: InsertBlockDeps,
  records: readonly LogRecord[],
): Promise<boolean> {
  for (const block of cutBlocks(records.flatMap(({ contents }) => contents ?? []))) {
    for (const lost of await lostBlocks(deps, block))
      if (!(await insertBlock(deps, lost, 'maybe in parts'))) return false;
    if (deps.signal.aborted) return false;
  }
  return true;
}

/** The rows of each record of the block for which ClickHouse has no rows. */
async function lostBlocks(
  { clickhouse }: InsertBlockDeps,
  { table, partition, segmentIds, body }: Block,
): Promise<Block[]> {
  const ids = segmentIds.map(id => `'${id}'`).join();
  const samePartition =
    table.partitionExpression === null ? '' : ` AND ${table.partitionExpression} = ${partition}`;
  const answer = await clickhouse.execute(
    `SELECT DISTINCT batch_id FROM ${table.name} WHERE batch_id IN (${ids})${samePartition} FORMAT TSV`,
    { timeoutMs: QUESTION_TIMEOUT_MS },
  );
  const present = new Set(answer.split('\n'));
  const shares = 'shares' in body ? body.shares : [];
  return shares
    .filter(({ segmentId }) => !present.has(segmentId))
    .map(share => blockOfShares({ groupId: share.segmentId, table }, [share]));
}
