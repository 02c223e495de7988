// Finds the header of a segment file, even if the beginning of the file is damaged. The header's
// own checksum corrects one flipped bit. For worse damage, the rows prove the header: each row ends
// with the segment's ID, which seeds the checksums of the frames, and with its own number in the
// segment, which is correct only if the row is read by the right columns.

import { uuidToRowBinary } from '../../schema/values/uuid-bytes.ts';
import type { SpoolFile } from './file-system.ts';
import { FRAME_HEADER_BYTES, type Frame, ROWS, readFrameHeader } from './frame.ts';
import { FileView, frameAt, nextMagic, PIECE_BYTES, scanFrames } from './scan-frames.ts';
import {
  checksumSeed,
  decodeSegmentHeader,
  encodeSegmentHeader,
  HEADER_READ_BYTES,
  type SegmentHeader,
  type SegmentTable,
} from './segment-header.ts';
import { readUuid, splitRows } from './split-rows.ts';

export type FoundHeader = {
  readonly header: SegmentHeader;
  /** Where the first frame begins. */
  readonly end: number;
  readonly isRepaired: boolean;
};

/** Lists of tables that may have encoded the segment's rows, most likely first. */
export type KnownTables = () => AsyncIterable<readonly SegmentTable[]>;

/** Undefined if the header is damaged and cannot be proven. */
export async function findHeader(
  file: Pick<SpoolFile, 'read'>,
  size: number,
  knownTables: KnownTables,
): Promise<FoundHeader | undefined> {
  const bytes = await file.read(0, Math.min(size, HEADER_READ_BYTES));
  const whole = decodeSegmentHeader(bytes);
  if (whole !== undefined) return { ...whole, isRepaired: false };
  const repaired = flipOneBitBack(bytes) ?? (await headerFromRows(file, size, knownTables));
  return repaired && { ...repaired, isRepaired: true };
}

/** Trying each bit of a longer header would block the thread; our headers have 3 KB. */
const REPAIRED_BYTES_MAX = 8 * 1024;
const LENGTH_AT = 8;
const LENGTH_BYTES = 4;

function flipOneBitBack(bytes: Buffer): ReturnType<typeof decodeSegmentHeader> {
  const copy = Buffer.from(bytes);
  // The bits of the length come first, because with a wrong length all other attempts are useless.
  const inLength = flipEachBit(copy, LENGTH_AT, LENGTH_AT + LENGTH_BYTES);
  if (inLength !== undefined || copy.length < LENGTH_AT + LENGTH_BYTES) return inLength;
  const end = 2 * LENGTH_AT + copy.readUInt32LE(LENGTH_AT);
  return end > REPAIRED_BYTES_MAX ? undefined : flipEachBit(copy, 0, Math.min(end, copy.length));
}

function flipEachBit(
  bytes: Buffer,
  start: number,
  end: number,
): ReturnType<typeof decodeSegmentHeader> {
  for (let bit = start * 8; bit < Math.min(end, bytes.length) * 8; bit++) {
    bytes[bit >> 3]! ^= 1 << (bit & 7);
    const found = decodeSegmentHeader(bytes);
    if (found !== undefined) return found;
    bytes[bit >> 3]! ^= 1 << (bit & 7);
  }
  return undefined;
}

async function headerFromRows(
  file: Pick<SpoolFile, 'read'>,
  size: number,
  knownTables: KnownTables,
): Promise<{ header: SegmentHeader; end: number } | undefined> {
  const id = await provenId(file, size);
  if (id === undefined) return undefined;
  const scan = await scanFrames(file, 0, size, checksumSeed(id));
  const frames = scan.frames.filter(({ kind }) => kind === ROWS);
  for await (const tables of knownTables()) {
    if (!(await areTablesOf(file, tables, frames, id))) continue;
    const header = { id, createdAtMs: timeOf(id), tables };
    // A damaged first frame may be between the header and the first intact frame.
    return { header, end: Math.min(encodeSegmentHeader(header).length, frames[0]!.start) };
  }
  return undefined;
}

/** `batch_id` and `batch_row`, which are at the end of every row. */
const ID_BYTES = 16;
const ROW_END_BYTES = ID_BYTES + 4;

/** The ID of the first frame whose checksum, seeded with that ID, is valid. */
async function provenId(file: Pick<SpoolFile, 'read'>, size: number): Promise<string | undefined> {
  const view = new FileView(file, 0, size, PIECE_BYTES);
  for (let pos = await nextMagic(view, 0, size); ; pos = await nextMagic(view, pos + 1, size)) {
    const header = await headerAt(view, pos, size);
    if (header === 'none left') return undefined;
    if (header === undefined || header.end - header.payloadStart < ROW_END_BYTES) continue;
    const id = readUuid(await file.read(header.end - ROW_END_BYTES, ID_BYTES));
    if ((await frameAt(view, pos, size, checksumSeed(id))) !== undefined) return id;
  }
}

async function headerAt(
  view: FileView,
  pos: number,
  size: number,
): Promise<Frame | undefined | 'none left'> {
  if (pos + FRAME_HEADER_BYTES > size) return 'none left';
  const frame = readFrameHeader(await view.from(pos, FRAME_HEADER_BYTES), pos, size);
  return frame?.kind === ROWS ? frame : undefined;
}

/** The number of rows of a table that prove its columns. */
const PROVING_ROWS = 1_000;

/** Whether `tables` includes every table with rows, with columns that read those rows correctly. */
async function areTablesOf(
  file: Pick<SpoolFile, 'read'>,
  tables: readonly SegmentTable[],
  frames: readonly Frame[],
  id: string,
): Promise<boolean> {
  const proven = new Map<number, number>();
  for (const frame of frames) {
    const rows = proven.get(frame.tableId) ?? 0;
    if (rows >= PROVING_ROWS) continue;
    const table = tables.find(candidate => candidate.id === frame.tableId);
    const payload = await file.read(frame.payloadStart, frame.end - frame.payloadStart);
    if (table === undefined || !areRowsOf(table, frame, payload, id)) return false;
    proven.set(frame.tableId, rows + frame.rows);
  }
  return true;
}

function areRowsOf(
  { columns }: SegmentTable,
  { rows: count, firstRow }: Frame,
  payload: Buffer,
  id: string,
): boolean {
  let rows: Uint8Array[];
  try {
    rows = splitRows([payload], columns);
  } catch {
    // With the wrong columns, rows soon end in the middle of a value.
    return false;
  }
  const rowEnd = Buffer.alloc(ROW_END_BYTES);
  rowEnd.set(uuidToRowBinary(id));
  return (
    rows.length === count &&
    rows.every((row, i) => {
      rowEnd.writeUInt32LE(firstRow + i, ID_BYTES);
      return rowEnd.equals(row.subarray(-ROW_END_BYTES));
    })
  );
}

const TIME_DIGITS = 12;

/** A UUIDv7 begins with its timestamp in milliseconds. */
function timeOf(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, TIME_DIGITS), 16);
}
