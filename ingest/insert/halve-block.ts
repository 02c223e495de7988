// The two halves of a block that ClickHouse refuses: between frames, which stay on disk, and in the
// end between the rows of one frame. Which halves it was before an upgrade or a crash doesn't matter:
// each is asked about by the numbers of its rows.

import { readRow } from '../spool/split-rows.ts';
import { type Block, blockOfFrames, blockOfRows } from './block.ts';
import { loadRows } from './block-body.ts';

/** Of a block with more than one row. */
export async function halveBlock(block: Block): Promise<[Block, Block]> {
  const { body } = block;
  if ('frames' in body && body.frames.length > 1) {
    const { frames, source } = body;
    const middle = Math.ceil(frames.length / 2);
    return [
      blockOfFrames(block, frames.slice(0, middle), source),
      blockOfFrames(block, frames.slice(middle), source),
    ];
  }
  const rows = await loadRows(block);
  const middle = Math.ceil(rows.length / 2);
  return [partOf(block, rows.slice(0, middle)), partOf(block, rows.slice(middle))];
}

function partOf({ segmentId, table, partition }: Block, rows: readonly Uint8Array[]): Block {
  const rowNumber = (row: Uint8Array) => Number(readRow(row, table.columns).batch_row);
  const firstRow = rowNumber(rows[0]!);
  const lastRow = rowNumber(rows.at(-1)!);
  return blockOfRows({ segmentId, table, partition, firstRow, lastRow }, rows);
}
