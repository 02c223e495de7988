// The rows of a block as request data: piece by piece for a whole block, or at once for a few rows.

import { wholeOf } from '../spool/read-payloads.ts';
import { splitRows } from '../spool/split-rows.ts';
import type { Block, BlockBody, Share } from './block.ts';
import type { StatementBody } from './clickhouse.ts';

/** The data of an INSERT of the block. */
export function statementBody(body: BlockBody): StatementBody {
  if ('rows' in body) return { bytes: lengthOf(body.rows), pieces: () => body.rows };
  const { shares } = body;
  let bytes = 0;
  for (const { frames } of shares)
    for (const frame of frames) bytes += frame.end - frame.payloadStart;
  return { bytes, pieces: () => payloadsOf(shares) };
}

/** The rows of a block that fits into memory, one by one. */
export async function loadRows({ body, table }: Block): Promise<readonly Uint8Array[]> {
  if ('rows' in body) return body.rows;
  return splitRows([await wholeOf(payloadsOf(body.shares))], table.columns);
}

/**
 * Reads one segment after the other, so that memory holds the data of one segment and not of a
 * group.
 */
async function* payloadsOf(shares: readonly Share[]): AsyncGenerator<Buffer> {
  for (const { frames, source } of shares) yield* source.payloadsOf(frames);
}

function lengthOf(rows: readonly Uint8Array[]): number {
  return rows.reduce((sum, row) => sum + row.length, 0);
}
