// Splits a block that ClickHouse rejects into two halves: between frames, whose rows stay on disk,
// and finally between the rows of one frame. The halves may differ after an upgrade or a crash,
// because each half is looked up by its segments and row numbers.

import { readRow } from '../spool/split-rows.ts';
import { type Block, blockOfRows, blockOfShares, type Share } from './block.ts';
import { loadRows } from './block-body.ts';

/** Precondition: the block has more than one row. */
export async function halveBlock(block: Block): Promise<[Block, Block]> {
  const { body } = block;
  if ('shares' in body) {
    const frames = body.shares.reduce((sum, share) => sum + share.frames.length, 0);
    const middle = Math.ceil(frames / 2);
    if (frames > 1)
      return [
        blockOfShares(block, framesWithin(body.shares, 0, middle)),
        blockOfShares(block, framesWithin(body.shares, middle, frames)),
      ];
  }
  const rows = await loadRows(block);
  const middle = Math.ceil(rows.length / 2);
  return [partOf(block, rows.slice(0, middle)), partOf(block, rows.slice(middle))];
}

/** The frames with numbers from `start` to before `end`, counted over all shares. */
function framesWithin(shares: readonly Share[], start: number, end: number): Share[] {
  const within: Share[] = [];
  let before = 0;
  for (const share of shares) {
    const from = Math.max(0, start - before);
    const frames = share.frames.slice(from, Math.max(from, end - before));
    if (frames.length > 0) within.push({ ...share, frames });
    before += share.frames.length;
  }
  return within;
}

/** Precondition: all rows are from one frame, and so from one segment. */
function partOf(block: Block, rows: readonly Uint8Array[]): Block {
  const { groupId, table, shard, partition, segmentIds } = block;
  const rowNumber = (row: Uint8Array) => Number(readRow(row, table.columns).batch_row);
  const firstRow = rowNumber(rows[0]!);
  const lastRow = rowNumber(rows.at(-1)!);
  return blockOfRows({ groupId, table, shard, partition, segmentIds, firstRow, lastRow }, rows);
}
