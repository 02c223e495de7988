import { crc32 } from 'node:zlib';
import { type Frame, ROWS } from '../../ingest/spool/frame.ts';
import type { SegmentContents } from '../../ingest/spool/read-segment.ts';
import { EVENTS_RAW, eventPartition } from '../../schema/rows/events-raw.ts';
import { RowWriter } from '../../schema/rows/row-writer.ts';
import { uuidToRowBinary } from '../../schema/values/uuid-bytes.ts';

export type SampleEvent = {
  readonly messageId: string;
  readonly timestampMs: number;
  readonly receivedAtMs: number;
};

/** A segment in memory with these events, one frame for each. */
export function sampleContents(id: string, events: readonly SampleEvent[]): SegmentContents {
  const payloads = events.map((event, row) => rowOf(id, row, event));
  let position = 0;
  const frames = events.map((event, row): Frame => {
    const payload = payloads[row]!;
    const start = position;
    position += payload.length;
    return {
      kind: ROWS,
      tableId: EVENTS_RAW.id,
      partition: eventPartition(event.timestampMs, event.receivedAtMs),
      rows: 1,
      firstRow: row,
      start,
      payloadStart: start,
      end: position,
      checksum: crc32(payload),
    };
  });
  const bytes = Buffer.concat(payloads);
  return {
    header: { id, createdAtMs: events[0]!.receivedAtMs, tables: [EVENTS_RAW] },
    frames,
    async *payloadsOf(some) {
      for (const { payloadStart, end } of some) yield bytes.subarray(payloadStart, end);
    },
  };
}

function rowOf(batchId: string, row: number, event: SampleEvent): Buffer {
  const writer = new RowWriter();
  for (const { name, type } of EVENTS_RAW.columns) {
    if (name === 'batch_id') writer.uuid(uuidToRowBinary(batchId));
    else if (name === 'batch_row') writer.uint32(row);
    else if (name === 'message_id') writer.text(event.messageId);
    else if (name === 'timestamp') writer.instantMs(event.timestampMs);
    else if (type === 'UUID') writer.uuid(new Uint8Array(16));
    else if (type === 'String') writer.text(name === 'event' ? 'Cluster Checked' : '');
    else writer.instantMs(event.receivedAtMs);
  }
  return Buffer.from(writer.written());
}
