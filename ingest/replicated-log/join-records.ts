// Neighboring records as one, so that a statement writes the rows of many. A record contains the tables of
// its own rows only.

import type { Frame } from '../spool/frame.ts';
import type { SegmentContents } from '../spool/read-segment.ts';
import type { SegmentHeader, SegmentTable } from '../spool/segment-header.ts';

/** The same rows in the same order; a table that another release wrote begins another part. */
export function joinRecords(records: readonly SegmentContents[]): SegmentContents[] {
  const parts: Part[] = [];
  for (const record of records) {
    const last = parts.at(-1);
    if (last !== undefined && fits(record, last)) addTo(last, record);
    else
      parts.push(addTo({ header: record.header, shapes: new Map(), sources: new Map() }, record));
  }
  return parts.map(({ header, shapes, sources }) => ({
    header: { ...header, tables: [...shapes.values()].map(({ table }) => table) },
    frames: [...sources.keys()],
    async *payloadsOf(frames) {
      for (const frame of frames) yield* sources.get(frame)!.payloadsOf([frame]);
    },
  }));
}

type Part = {
  /** Of the first record. */
  readonly header: SegmentHeader;
  readonly shapes: Map<number, { readonly shape: string; readonly table: SegmentTable }>;
  readonly sources: Map<Frame, SegmentContents>;
};

function fits({ header }: SegmentContents, { shapes }: Part): boolean {
  return header.tables.every(table => {
    const known = shapes.get(table.id);
    return known === undefined || known.shape === JSON.stringify(table);
  });
}

function addTo(part: Part, record: SegmentContents): Part {
  for (const table of record.header.tables)
    part.shapes.set(table.id, { shape: JSON.stringify(table), table });
  for (const frame of record.frames) part.sources.set(frame, record);
  return part;
}
