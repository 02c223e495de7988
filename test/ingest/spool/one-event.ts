// Rows that tests of the log tell apart by their event's name.

import { wholeOf } from '../../../ingest/spool/read-payloads.ts';
import type { SegmentContents } from '../../../ingest/spool/read-segment.ts';
import { readRow, splitRows } from '../../../ingest/spool/split-rows.ts';
import type { SpoolLog } from '../../../ingest/spool/spool-log.ts';
import { EVENTS_RAW } from '../../../schema/rows/events-raw.ts';

/** One row of the year's partition; resolves when it is on disk. */
export function appendEvent(log: SpoolLog, event: string, year = 2025): Promise<void> {
  return appendEvents(log, [event], year);
}

/** A row each, all in one frame. */
export function appendEvents(log: SpoolLog, events: string[], year: number): Promise<void> {
  log.append(EVENTS_RAW, year, events, (writer, event) => {
    for (const { name, type } of EVENTS_RAW.columns.slice(0, -2)) {
      if (type === 'UUID') writer.uuid(new Uint8Array(16));
      else if (type === 'String') writer.text(name === 'event' ? event : '');
      else writer.instantMs(Date.UTC(year, 1, 1));
    }
  });
  return log.commit();
}

export async function eventsOf({ frames, payloadsOf }: SegmentContents): Promise<string[]> {
  const rows = splitRows([await wholeOf(payloadsOf(frames))], EVENTS_RAW.columns);
  return rows.map(row => String(readRow(row, EVENTS_RAW.columns).event));
}
