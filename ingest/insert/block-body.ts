// The rows of a block on their way: piece by piece into a request, or all of them where they are few.

import { wholeOf } from '../spool/read-payloads.ts';
import { splitRows } from '../spool/split-rows.ts';
import type { Block, BlockBody } from './block.ts';
import type { StatementBody } from './clickhouse.ts';

/** What an INSERT of the block carries. */
export function statementBody(body: BlockBody): StatementBody {
  if ('rows' in body) return { bytes: lengthOf(body.rows), pieces: () => body.rows };
  const { frames, source } = body;
  const bytes = frames.reduce((sum, frame) => sum + frame.end - frame.payloadStart, 0);
  return { bytes, pieces: () => source.payloadsOf(frames) };
}

/** The rows of a block that fits into memory, each for itself. */
export async function loadRows({ body, table }: Block): Promise<readonly Uint8Array[]> {
  if ('rows' in body) return body.rows;
  return splitRows([await wholeOf(body.source.payloadsOf(body.frames))], table.columns);
}

function lengthOf(rows: readonly Uint8Array[]): number {
  return rows.reduce((sum, row) => sum + row.length, 0);
}
