// A segment file while it is written, and what the readers are told of it once it is sealed.

import { join } from 'node:path';
import { uuidToRowBinary } from '../../schema/values/uuid-bytes.ts';
import type { FileSystem, SpoolFile } from './file-system.ts';
import { checksumSeed, encodeSegmentHeader, type SegmentTable } from './segment-header.ts';

const SUFFIX = '.segment';
const SEQUENCE_DIGITS = 12;

/** A finished segment. Its rows are on disk; nothing is ever added to it. */
export type SealedSegment = {
  readonly sequence: number;
  /** The batch_id of its rows; undefined where the header is damaged. */
  readonly id: string | undefined;
  readonly path: string;
  /** Whole frames end here; bytes behind it were never acknowledged. */
  readonly bytes: number;
  /**
   * About when its first row came, by the wall clock. Of one that an earlier process left behind: when
   * its file was made, which is ahead of use, so that a quiet log's rows seem older than they are.
   */
  readonly createdAtMs: number;
  /** When its first row came, by this process's monotonic clock; of an earlier process nothing is known. */
  readonly firstFrameAtMs?: number | undefined;
  /** Written and sealed by this process, and not tried yet: no reader can have got hold of it. */
  readonly isFresh: boolean;
  /** False only where it is known to have none, which saves the outbox reading it. */
  readonly mayHaveOutboxRows: boolean;
};

export type OpenSegment = {
  readonly sequence: number;
  readonly id: string;
  /** The id as its rows carry it, in RowBinary order. */
  readonly idBytes: Uint8Array;
  readonly seed: number;
  readonly path: string;
  readonly file: SpoolFile;
  /** Bytes known to be on disk. */
  durableBytes: number;
  /** Bytes handed to the log so far, on disk or waiting. */
  appendedBytes: number;
  readonly rowsByTable: Map<number, number>;
  rows: number;
  firstFrameAtMs: number | undefined;
  createdAtMs: number;
  hasFailed: boolean;
};

export function segmentName(sequence: number): string {
  return `${String(sequence).padStart(SEQUENCE_DIGITS, '0')}${SUFFIX}`;
}

/** The sequence number of a segment's file name; undefined for other files. */
export function sequenceOf(name: string): number | undefined {
  if (!name.endsWith(SUFFIX)) return undefined;
  const sequence = Number(name.slice(0, -SUFFIX.length));
  return Number.isSafeInteger(sequence) ? sequence : undefined;
}

/** Creates the file with its header; both and the directory entry are durable when it resolves. */
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
