// The beginning of every segment file: the release that wrote it and, per table, the columns of its
// rows, so that after an upgrade the rows of an earlier release are inserted with their own column
// list.
//
// 0 u32 magic   4 u32 format version   8 u32 JSON bytes   12 u32 CRC-32 of all else   16 JSON

import { crc32 } from 'node:zlib';
import type { Column, Table } from '../../schema/rows/table.ts';

const MAGIC = 0x4c4f5053;
const FORMAT_VERSION = 1;
const PREFIX_BYTES = 16;
const CHECKSUM_AT = 12;
/**
 * Enough for any header, so that it can be read without the whole file. A longer one is damaged.
 */
export const HEADER_READ_BYTES = 64 * 1024;

export type SegmentTable = Pick<Table, 'id' | 'name' | 'encoderVersion' | 'partitionExpression'> & {
  readonly columns: readonly Column[];
  /** Absent in segments of releases without the outbox. */
  readonly destination?: Table['destination'];
};

export type SegmentHeader = {
  /** UUIDv7; the batch_id of all rows in the segment. */
  readonly id: string;
  readonly createdAtMs: number;
  readonly tables: readonly SegmentTable[];
};

export function encodeSegmentHeader(header: SegmentHeader): Buffer {
  const json = Buffer.from(JSON.stringify(header));
  const prefix = Buffer.alloc(PREFIX_BYTES);
  prefix.writeUInt32LE(MAGIC, 0);
  prefix.writeUInt32LE(FORMAT_VERSION, 4);
  prefix.writeUInt32LE(json.length, 8);
  prefix.writeUInt32LE(checksumOf(prefix, json), CHECKSUM_AT);
  return Buffer.concat([prefix, json]);
}

/** The segment was written by a later release. It is not damaged and must not be discarded. */
export class UnknownFormat extends Error {}

/** The header and the position of the first frame; undefined if the header is damaged. */
export function decodeSegmentHeader(
  bytes: Buffer,
): { header: SegmentHeader; end: number } | undefined {
  if (bytes.length < PREFIX_BYTES || bytes.readUInt32LE(0) !== MAGIC) return undefined;
  const length = bytes.readUInt32LE(8);
  const end = PREFIX_BYTES + length;
  if (end > bytes.length) return undefined;
  const json = bytes.subarray(PREFIX_BYTES, end);
  // The checksum covers the version as well: a flipped bit in it is damage, not another release.
  if (checksumOf(bytes, json) !== bytes.readUInt32LE(CHECKSUM_AT)) return undefined;
  const version = bytes.readUInt32LE(4);
  if (version !== FORMAT_VERSION)
    throw new UnknownFormat(
      `A segment has format version ${version}; this release reads ${FORMAT_VERSION}. Run the release that wrote the segment until the spool is empty.`,
    );
  return { header: JSON.parse(json.toString('utf8')) as SegmentHeader, end };
}

function checksumOf(prefix: Buffer, json: Buffer): number {
  return crc32(json, crc32(prefix.subarray(0, CHECKSUM_AT)));
}

/** Seeds the checksums of a segment's frames. */
export function checksumSeed(segmentId: string): number {
  return crc32(segmentId);
}
