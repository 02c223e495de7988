// A frame contains the rows of one request for one table and partition, already in the insert format,
// after a header with a checksum over both. The checksum is seeded by the segment, so that leftover
// bytes of another segment on disk never match.
//
// 0 u32 magic   4 u8 kind   5 u8 table   6 u16 partition   8 u32 rows   12 u32 first row
// 16 u32 payload bytes   20 u32 CRC-32 of bytes 0 to 20 and the payload   24 payload
//
// All values are little-endian. The last frame of a sealed segment is a seal, without payload. Its
// `rows` are those of the whole segment for ClickHouse, so that a restart knows how many are waiting
// without reading them; 0 in segments of earlier releases.

import { crc32 } from 'node:zlib';
import { PENDING_BYTES_MAX } from '../limits.ts';

export const FRAME_HEADER_BYTES = 24;
export const ROWS = 1;
export const SEAL = 2;

const MAGIC = 0x314d5246;
export const MAGIC_BYTES = Buffer.from('FRM1');
export const CHECKSUM_AT = 20;

type FrameHeader = {
  readonly kind: typeof ROWS | typeof SEAL;
  readonly tableId: number;
  readonly partition: number;
  readonly rows: number;
  /** The number of the frame's first row among the segment's rows of that table. */
  readonly firstRow: number;
};

export type Frame = FrameHeader & {
  readonly start: number;
  readonly payloadStart: number;
  readonly end: number;
  readonly checksum: number;
};

/** Writes the header into `frame`, which starts with room for it. */
export function writeFrameHeader(frame: Uint8Array, header: FrameHeader, seed: number): void {
  const view = new DataView(frame.buffer, frame.byteOffset, FRAME_HEADER_BYTES);
  view.setUint32(0, MAGIC, true);
  view.setUint8(4, header.kind);
  view.setUint8(5, header.tableId);
  view.setUint16(6, header.partition, true);
  view.setUint32(8, header.rows, true);
  view.setUint32(12, header.firstRow, true);
  view.setUint32(16, frame.length - FRAME_HEADER_BYTES, true);
  view.setUint32(CHECKSUM_AT, checksumOf(frame, seed), true);
}

export function sealFrame(seed: number, rows = 0): Buffer {
  const frame = Buffer.alloc(FRAME_HEADER_BYTES);
  const header = { kind: SEAL, tableId: 0, partition: 0, rows, firstRow: 0 } as const;
  writeFrameHeader(frame, header, seed);
  return frame;
}

/**
 * The frame whose header is at the start of `bytes`, which is byte `start` of the file; undefined
 * if it cannot be a header.
 */
export function readFrameHeader(bytes: Buffer, start: number, end: number): Frame | undefined {
  if (bytes.readUInt32LE(0) !== MAGIC) return undefined;
  const kind = bytes.readUInt8(4);
  if (kind !== ROWS && kind !== SEAL) return undefined;
  const payloadBytes = bytes.readUInt32LE(16);
  const payloadStart = start + FRAME_HEADER_BYTES;
  if (payloadBytes > PENDING_BYTES_MAX || payloadStart + payloadBytes > end) return undefined;
  return {
    kind,
    tableId: bytes.readUInt8(5),
    partition: bytes.readUInt16LE(6),
    rows: bytes.readUInt32LE(8),
    firstRow: bytes.readUInt32LE(12),
    start,
    payloadStart,
    end: payloadStart + payloadBytes,
    checksum: bytes.readUInt32LE(CHECKSUM_AT),
  };
}

/** The checksum of the header fields, with which the frame's checksum begins. */
export function checksumOfHeader(header: Uint8Array, seed: number): number {
  return crc32(header.subarray(0, CHECKSUM_AT), seed);
}

function checksumOf(frame: Uint8Array, seed: number): number {
  return crc32(frame.subarray(FRAME_HEADER_BYTES), checksumOfHeader(frame, seed));
}
