// A segment file while it is written, and its description for the readers after it is sealed.

import { join } from 'node:path';
import type { Table } from '../../schema/rows/table.ts';
import { uuidToRowBinary } from '../../schema/values/uuid-bytes.ts';
import {
  SEGMENT_AGE_MAX_MS,
  SEGMENT_BYTES_MAX,
  SEGMENT_BYTES_WORTHWHILE,
  SEGMENT_ROWS_MAX,
  WORTHWHILE_AGE_MAX_MS,
} from '../limits.ts';
import type { FileSystem, SpoolFile } from './file-system.ts';
import { checksumSeed, encodeSegmentHeader, type SegmentTable } from './segment-header.ts';

const SUFFIX = '.segment';
const SEQUENCE_DIGITS = 12;

/** A sealed segment. Its rows are on disk, and no data is ever added to it. */
export type SealedSegment = {
  readonly sequence: number;
  /** The batch_id of its rows; undefined if the header is damaged. */
  readonly id: string | undefined;
  readonly path: string;
  /** The end of the intact frames. Bytes after it were never acknowledged. */
  readonly bytes: number;
  /**
   * The approximate time of its first row, by the wall clock. For a segment of an earlier process:
   * when its file was created, which is before its first row, so that the rows of a quiet log seem
   * older than they are.
   */
  readonly createdAtMs: number;
  /**
   * The time of its first row by this process's monotonic clock; undefined for a segment of an
   * earlier process.
   */
  readonly firstFrameAtMs?: number | undefined;
  /** Whether it was written and sealed by this process and no reader has received it yet. */
  readonly isFresh: boolean;
  /** False only if it is known to have no rows for the outbox, which then need not read it. */
  readonly mayHaveOutboxRows: boolean;
  /** Its rows for ClickHouse; 0 if unknown. */
  readonly rows: number;
};

export type OpenSegment = {
  readonly sequence: number;
  readonly id: string;
  /** The ID in RowBinary order, as in its rows. */
  readonly idBytes: Uint8Array;
  readonly seed: number;
  readonly path: string;
  readonly file: SpoolFile;
  /** Bytes known to be on disk. */
  durableBytes: number;
  /** Bytes appended so far, on disk or waiting. */
  appendedBytes: number;
  readonly rowsByTable: Map<number, number>;
  rows: number;
  firstFrameAtMs: number | undefined;
  createdAtMs: number;
  hasFailed: boolean;
};

/** Whether a segment with rows is large or old enough to be sealed. */
export function isDue({ appendedBytes, rows }: OpenSegment, ageMs: number): boolean {
  if (appendedBytes >= SEGMENT_BYTES_MAX || rows >= SEGMENT_ROWS_MAX) return true;
  const isWorthwhile = appendedBytes >= SEGMENT_BYTES_WORTHWHILE;
  return ageMs >= (isWorthwhile ? WORTHWHILE_AGE_MAX_MS : SEGMENT_AGE_MAX_MS);
}

/** `isFresh`: whether it ends with its seal. */
export function sealedSegment(
  segment: OpenSegment,
  tables: readonly Table[],
  isFresh: boolean,
): SealedSegment {
  const { sequence, id, path, durableBytes, createdAtMs, firstFrameAtMs, rowsByTable } = segment;
  return {
    sequence,
    id,
    path,
    bytes: durableBytes,
    createdAtMs,
    firstFrameAtMs,
    isFresh,
    mayHaveOutboxRows: tables.some(
      table => table.destination === 'outbox' && rowsByTable.has(table.id),
    ),
    // Some of a failed segment's rows are not on disk.
    rows: isFresh ? warehouseRows(segment, tables) : 0,
  };
}

/** The rows for ClickHouse. */
export function warehouseRows(
  { rowsByTable }: Pick<OpenSegment, 'rowsByTable'>,
  tables: readonly Table[],
): number {
  let rows = 0;
  for (const { id, destination } of tables)
    if (destination !== 'outbox') rows += rowsByTable.get(id) ?? 0;
  return rows;
}

export function segmentName(sequence: number): string {
  return `${String(sequence).padStart(SEQUENCE_DIGITS, '0')}${SUFFIX}`;
}

/** The sequence number in a segment's file name; undefined for other files. */
export function sequenceOf(name: string): number | undefined {
  if (!name.endsWith(SUFFIX)) return undefined;
  const sequence = Number(name.slice(0, -SUFFIX.length));
  return Number.isSafeInteger(sequence) ? sequence : undefined;
}

/** Creates the file with its header. Both and the directory entry are durable when it resolves. */
export async function createSegment(
  fs: FileSystem,
  directory: string,
  sequence: number,
  id: string,
  tables: readonly SegmentTable[],
  nowMs: number,
): Promise<OpenSegment> {
  const path = join(directory, segmentName(sequence));
  const header = encodeSegmentHeader({ id, createdAtMs: nowMs, tables });
  const file = await fs.create(path);
  try {
    await file.write(header, 0);
    await file.datasync();
    await fs.syncDirectory(directory);
  } catch (error) {
    await file.close().catch(() => undefined);
    await fs.unlink(path).catch(() => undefined);
    throw error;
  }
  return {
    sequence,
    id,
    idBytes: uuidToRowBinary(id),
    seed: checksumSeed(id),
    path,
    file,
    durableBytes: header.length,
    appendedBytes: header.length,
    rowsByTable: new Map(),
    rows: 0,
    firstFrameAtMs: undefined,
    createdAtMs: nowMs,
    hasFailed: false,
  };
}
