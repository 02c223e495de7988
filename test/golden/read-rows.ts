import { checksumSeed, decodeSegmentHeader } from '../../ingest/spool/segment-header.ts';
import { readRow, splitRows } from '../../ingest/spool/split-rows.ts';
import { scanBytes } from '../harness/scan-bytes.ts';

export type Rows = Record<string, Record<string, string | number>[]>;

/** The rows of a segment's bytes by table, in the order of their numbers. */
export async function readRows(segment: Buffer): Promise<Rows> {
  const start = decodeSegmentHeader(segment);
  if (start === undefined) throw new Error('The segment has no header.');
  const rows: Rows = {};
  const { frames } = await scanBytes(segment, start.end, checksumSeed(start.header.id));
  for (const frame of frames) {
    const table = start.header.tables.find(({ id }) => id === frame.tableId);
    if (table === undefined) continue;
    const payload = segment.subarray(frame.payloadStart, frame.end);
    const found = splitRows([payload], table.columns).map(row => readRow(row, table.columns));
    rows[table.name] = [...(rows[table.name] ?? []), ...found];
  }
  return rows;
}
