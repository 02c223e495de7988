// The rows of a block on their way: piece by piece into a request, or all of them where they are few.

import { wholeOf } from '../spool/read-payloads.ts';
import { splitRows } from '../spool/split-rows.ts';
import type { Block, BlockBody, Share } from './block.ts';
import type { StatementBody } from './clickhouse.ts';

/** What an INSERT of the block carries. */
export function statementBody(body: BlockBody): StatementBody {
  if ('rows' in body) return { bytes: lengthOf(body.rows), pieces: () => body.rows };
  const { shares } = body;
  let bytes = 0;
  for (const { frames } of shares)
    for (const frame of frames) bytes += frame.end - frame.payloadStart;
  return { bytes, pieces: () => payloadsOf(shares) };
}

/** The rows of a block that fits into memory, each for itself. */
export async function loadRows({ body, table }: Block): Promise<readonly Uint8Array[]> {
  if ('rows' in body) return body.rows;
  return splitRows([await wholeOf(payloadsOf(body.shares))], table.columns);
}

/** One segment behind the other, so that no more of a group is in memory than of one segment. */
async function* payloadsOf(shares: readonly Share[]): AsyncGenerator<Buffer> {
  for (const { frames, source } of shares) yield* source.payloadsOf(frames);
}

function lengthOf(rows: readonly Uint8Array[]): number {
  return rows.reduce((sum, row) => sum + row.length, 0);
}
