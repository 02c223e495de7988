// A record of the log: a small sealed segment with the frames of one group commit. It begins with
// the header of a segment, with the tables that have rows in the record, and ends with a seal.

import { crc32 } from 'node:zlib';
import type { Table } from '../../schema/rows/table.ts';
import {
  checksumOfHeader,
  FRAME_HEADER_BYTES,
  type Frame,
  ROWS,
  readFrameHeader,
  SEAL,
  sealFrame,
} from '../spool/frame.ts';
import type { SegmentContents } from '../spool/read-segment.ts';
import { checksumSeed, decodeSegmentHeader, encodeSegmentHeader } from '../spool/segment-header.ts';

export type RecordToWrite = {
  /** UUIDv7; the batch_id of its rows. */
  readonly id: string;
  readonly createdAtMs: number;
  /** The tables with rows in `frames`. */
  readonly tables: readonly Table[];
  readonly frames: readonly Uint8Array[];
  readonly rows: number;
};

export function encodeRecord({ id, createdAtMs, tables, frames, rows }: RecordToWrite): Buffer {
  const header = encodeSegmentHeader({ id, createdAtMs, tables });
  return Buffer.concat([header, ...frames, sealFrame(checksumSeed(id), rows)]);
}

/** A record without rows, which readers skip. */
export function encodeProbe(id: string, createdAtMs: number): Buffer {
  return encodeRecord({ id, createdAtMs, tables: [], frames: [], rows: 0 });
}

/** The record is damaged, or not one of this service. */
export class DamagedRecord extends Error {}

/**
 * Verifies every checksum. Throws DamagedRecord, or UnknownFormat for a record of a later release.
 * `value` must not change while the contents are used.
 */
export function readRecord(value: Buffer): SegmentContents {
  const start = decodeSegmentHeader(value);
  if (start === undefined) throw new DamagedRecord('The header is damaged.');
  const frames = readFrames(value, start.end, checksumSeed(start.header.id));
  return {
    header: start.header,
    frames,
    async *payloadsOf(some) {
      yield* gathered(some.map(({ payloadStart, end }) => value.subarray(payloadStart, end)));
    },
  };
}

/** Each piece is a write on a connection. */
const PIECE_BYTES = 256 * 1024;

/** The payloads in pieces of about that size. */
function* gathered(payloads: readonly Buffer[]): Generator<Buffer> {
  let [piece, bytes]: [Buffer[], number] = [[], 0];
  for (const payload of payloads) {
    piece.push(payload);
    bytes += payload.length;
    if (bytes < PIECE_BYTES) continue;
    yield wholePiece(piece);
    [piece, bytes] = [[], 0];
  }
  if (bytes > 0) yield wholePiece(piece);
}

function wholePiece(payloads: readonly Buffer[]): Buffer {
  return payloads.length === 1 ? payloads[0]! : Buffer.concat(payloads);
}

function readFrames(value: Buffer, start: number, seed: number): Frame[] {
  const frames: Frame[] = [];
  for (let pos = start; pos + FRAME_HEADER_BYTES <= value.length; ) {
    const header = value.subarray(pos, pos + FRAME_HEADER_BYTES);
    const frame = readFrameHeader(header, pos, value.length);
    if (frame === undefined) break;
    const payload = value.subarray(frame.payloadStart, frame.end);
    if (crc32(payload, checksumOfHeader(header, seed)) !== frame.checksum) break;
    pos = frame.end;
    if (frame.kind === SEAL && pos === value.length) return frames;
    if (frame.kind === ROWS) frames.push(frame);
  }
  throw new DamagedRecord('A frame is damaged, or the record has no seal.');
}
