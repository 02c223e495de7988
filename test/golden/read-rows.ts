import { scanFrames } from '../../ingest/spool/frame.ts';
import { checksumSeed, decodeSegmentHeader } from '../../ingest/spool/segment-header.ts';
import { readRow, splitRows } from '../../ingest/spool/split-rows.ts';

export type Rows = Record<string, Record<string, string | number>[]>;

/** The rows of a segment's bytes by table, in the order of their numbers. */
export function readRows(segment: Buffer): Rows {
  const start = decodeSegmentHeader(segment);
  if (start === undefined) throw new Error('The segment has no header.');
  const rows: Rows = {};
  for (const frame of scanFrames(segment, start.end, checksumSeed(start.header.id)).frames) {
    const table = start.header.tables.find(({ id }) => id === frame.tableId);
    if (table === undefined) continue;
    const payload = segment.subarray(frame.payloadStart, frame.end);
    const found = splitRows([payload], table.columns).map(row => readRow(row, table.columns));
    rows[table.name] = [...(rows[table.name] ?? []), ...found];
  }
  return rows;
}
