import { expect, test } from 'vitest';
import { joinRecords } from '../../../ingest/replicated-log/join-records.ts';
import { encodeRecord, readRecord } from '../../../ingest/replicated-log/record.ts';
import { FRAME_HEADER_BYTES, ROWS, writeFrameHeader } from '../../../ingest/spool/frame.ts';
import { wholeOf } from '../../../ingest/spool/read-payloads.ts';
import { checksumSeed } from '../../../ingest/spool/segment-header.ts';
import { outboxTable, type Table } from '../../../schema/rows/table.ts';

const CONTACTS = outboxTable(201, 'contacts', { note: 'String' });
const EXPOSURES = outboxTable(202, 'exposures', { note: 'String' });
const LATER_CONTACTS = { ...CONTACTS, encoderVersion: 2 };

let ids = 0;

/** A record with a frame for each text. */
function record(table: Table, ...texts: readonly string[]) {
  const id = `0197a0c2-0000-7000-8000-${String(ids++).padStart(12, '0')}`;
  const frames = texts.map((text, firstRow) => {
    const frame = Buffer.concat([Buffer.alloc(FRAME_HEADER_BYTES), Buffer.from(text)]);
    const header = { kind: ROWS, tableId: table.id, partition: 0, rows: 1, firstRow } as const;
    writeFrameHeader(frame, header, checksumSeed(id));
    return frame;
  });
  return readRecord(
    encodeRecord({ id, createdAtMs: 0, tables: [table], frames, rows: texts.length }),
  );
}

test('records with different tables become one, with the rows of each table in order', async () => {
  const [joined, ...others] = joinRecords([
    record(CONTACTS, 'a', 'b'),
    record(EXPOSURES, 'x'),
    record(CONTACTS, 'c'),
  ]);
  expect(others).toEqual([]);
  const rowsOf = async ({ id }: Table) => {
    const frames = joined!.frames.filter(({ tableId }) => tableId === id);
    return String(await wholeOf(joined!.payloadsOf(frames)));
  };
  expect(joined!.header.tables.map(({ name }) => name)).toEqual(['contacts', 'exposures']);
  expect([await rowsOf(CONTACTS), await rowsOf(EXPOSURES)]).toEqual(['abc', 'x']);
});

test('rows that another release wrote stay apart', async () => {
  const parts = joinRecords([
    record(CONTACTS, 'a'),
    record(LATER_CONTACTS, 'b'),
    record(LATER_CONTACTS, 'c'),
  ]);
  const texts = parts.map(async part => String(await wholeOf(part.payloadsOf(part.frames))));
  expect(await Promise.all(texts)).toEqual(['a', 'bc']);
  expect(parts.map(({ header }) => header.tables[0]!.encoderVersion)).toEqual([1, 2]);
});

test('small payloads are sent together, large ones as they are', async () => {
  const large = 'l'.repeat(300_000);
  const { frames, payloadsOf } = record(CONTACTS, 'a', 'b', large, large, 'c');
  const lengths: number[] = [];
  for await (const piece of payloadsOf(frames)) lengths.push(piece.length);
  expect(lengths).toEqual([300_002, 300_000, 1]);
});
