// Rows for tests of the log, identified by their event name.

import { wholeOf } from '../../../ingest/spool/read-payloads.ts';
import type { SegmentContents } from '../../../ingest/spool/read-segment.ts';
import { readRow, splitRows } from '../../../ingest/spool/split-rows.ts';
import type { SpoolLog } from '../../../ingest/spool/spool-log.ts';
import { EVENTS_RAW } from '../../../schema/rows/events-raw.ts';
import type { Table } from '../../../schema/rows/table.ts';

const DAY_MS = 86_400_000;

/** Appends one row to the partition of a day, in days since 1970; resolves when it is on disk. */
export function appendEvent(
  log: SpoolLog,
  event: string,
  day = 20_089,
  table: Table = EVENTS_RAW,
): Promise<void> {
  return appendEvents(log, [event], day, table);
}

/** Appends one row per event, all in one frame. */
export function appendEvents(
  log: SpoolLog,
  events: string[],
  day: number,
  table: Table = EVENTS_RAW,
): Promise<void> {
  log.append(table, day, events, (writer, event) => {
    for (const { name, type } of table.columns.slice(0, -2)) {
      if (type === 'UUID') writer.uuid(new Uint8Array(16));
      else if (type === 'String') writer.text(name === 'event' ? event : '');
      else writer.instantMs(day * DAY_MS);
    }
  });
  return log.commit();
}

export async function eventsOf(contents: SegmentContents): Promise<string[]> {
  const { header, frames, payloadsOf } = contents;
  const { columns } = header.tables.find(({ id }) => id === EVENTS_RAW.id)!;
  const rows = splitRows([await wholeOf(payloadsOf(frames))], columns);
  return rows.map(row => String(readRow(row, columns).event));
}
