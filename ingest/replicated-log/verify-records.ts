// Verifies delivered records, because ClickHouse may have lost parts that it had confirmed, and
// inserts the missing ones. Several members may do so at the same time, each with its own ranges, so
// a missing record is inserted alone: its blocks and their tokens depend on nothing else.

import { type Block, blockOfShares, cutBlocks } from '../insert/block.ts';
import { type InsertBlockDeps, insertBlock } from '../insert/insert-block.ts';
import { askReplicas } from '../insert/replicas.ts';
import { shardBlocks } from '../insert/shard-blocks.ts';
import { QUESTION_TIMEOUT_MS } from '../limits.ts';
import type { LogRecord } from './record-queue.ts';

/** Returns true once all rows are stored; false if the session ended before. */
export async function verifyRecords(
  deps: InsertBlockDeps,
  records: readonly LogRecord[],
): Promise<boolean> {
  const contents = records.flatMap(record => record.contents ?? []);
  for await (const { block, shardDeps } of shardBlocks(deps, cutBlocks(contents))) {
    for (const lost of await lostBlocks(shardDeps, block))
      if (!(await insertBlock(shardDeps, lost, 'maybe in parts'))) return false;
    if (deps.signal.aborted) return false;
  }
  return true;
}

/** The rows of each record of the block for which ClickHouse has no rows. */
async function lostBlocks(
  { clickhouse }: InsertBlockDeps,
  { table, shard, partition, segmentIds, body }: Block,
): Promise<Block[]> {
  const ids = segmentIds.map(id => `'${id}'`).join();
  const samePartition =
    table.partitionExpression === null ? '' : ` AND ${table.partitionExpression} = ${partition}`;
  const answers = await askReplicas(
    clickhouse,
    `SELECT DISTINCT batch_id FROM ${table.name} WHERE batch_id IN (${ids})${samePartition} FORMAT TSV`,
    { timeoutMs: QUESTION_TIMEOUT_MS },
  );
  const present = new Set(answers.join('\n').split('\n'));
  const shares = 'shares' in body ? body.shares : [];
  return shares
    .filter(({ segmentId }) => !present.has(segmentId))
    .map(share => blockOfShares({ groupId: share.segmentId, table, shard }, [share]));
}
