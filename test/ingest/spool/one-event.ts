// Rows that tests of the log tell apart by their event's name.

import type { SegmentContents } from '../../../ingest/spool/read-segment.ts';
import { readRow, splitRows } from '../../../ingest/spool/split-rows.ts';
import type { SpoolLog } from '../../../ingest/spool/spool-log.ts';
import { EVENTS_RAW } from '../../../schema/rows/events-raw.ts';

/** One row of the year's partition; resolves when it is on disk. */
export function appendEvent(log: SpoolLog, event: string, year = 2025): Promise<void> {
  log.append(EVENTS_RAW, year, [event], writer => {
    for (const { name, type } of EVENTS_RAW.columns.slice(0, -2)) {
      if (type === 'UUID') writer.uuid(new Uint8Array(16));
      else if (type === 'String') writer.text(name === 'event' ? event : '');
      else writer.instantMs(Date.UTC(year, 1, 1));
    }
  });
  return log.commit();
}

export function eventsOf({ frames, bytes }: SegmentContents): string[] {
  const payload = frames.map(frame => bytes.subarray(frame.payloadStart, frame.end));
  const rows = splitRows(payload, EVENTS_RAW.columns);
  return rows.map(row => String(readRow(row, EVENTS_RAW.columns).event));
}
