// Restores a log's directory to a state in which every segment is sealed. Runs at start, before the
// first append. Only the last written segment can have a torn tail, which was never acknowledged
// and is truncated. Bytes of that kind before intact frames, or at the end of a sealed segment, are
// damage: they are left in place for the reader to quarantine. A file that cannot be read at all is
// quarantined. Recovery is idempotent, even if it is interrupted.

import { join } from 'node:path';
import type { FileSystem, SpoolFile } from './file-system.ts';
import { findHeader } from './find-header.ts';
import { FRAME_HEADER_BYTES, type Frame, MAGIC_BYTES, ROWS, SEAL, sealFrame } from './frame.ts';
import { tablesKnownIn } from './known-tables.ts';
import { type Scan, scanFrames } from './scan-frames.ts';
import { type SealedSegment, sequenceOf } from './segment.ts';
import { checksumSeed, type SegmentHeader } from './segment-header.ts';
import { isOfFile, moveAside } from './set-aside.ts';

type Recovery = {
  readonly segments: SealedSegment[];
  readonly nextSequence: number;
  /** The number of bytes of the torn tail that was truncated. */
  readonly tornBytes: number;
  /** Segments that were finished but have no seal: it was truncated or could not be written. */
  readonly endless: readonly string[];
};

type RecoverOptions = {
  readonly fs: FileSystem;
  readonly directory: string;
  /** The length of a segment's header. A shorter file was never used. */
  readonly headerBytes: number;
  /** The furthest cursor. Readers only receive sealed segments. */
  readonly readSequence: number;
  /** Called with errors of segments that could not be read or sealed. */
  readonly onFailure: (error: unknown) => void;
};

/** Rejects for conditions that must not be ignored, such as a segment of a later release. */
export async function recoverLog(options: RecoverOptions): Promise<Recovery> {
  const { fs, directory, onFailure } = options;
  const found = await listSegments(fs, directory);
  const segments: SealedSegment[] = [];
  const endless: string[] = [];
  let tornBytes = 0;
  let isLast = true;
  for (const { name, sequence } of found.toReversed()) {
    const path = join(directory, name);
    const mayBeTorn = isLast && sequence >= options.readSequence;
    const recovered = await recoverOrSetAside(options, { path, sequence, mayBeTorn });
    // An unreadable segment may have been written to.
    if (recovered === undefined || recovered.bytes + recovered.tornBytes > 0) isLast = false;
    if (recovered === undefined) continue;
    const { id, bytes, createdAtMs, rows } = recovered;
    tornBytes += recovered.tornBytes;
    if (recovered.isEndless) endless.push(path);
    // An empty file that cannot be removed does no harm, and the next start retries.
    if (bytes === 0) await fs.unlink(path).catch(onFailure);
    else
      segments.push({
        sequence,
        id,
        path,
        bytes,
        createdAtMs,
        isFresh: false,
        mayHaveOutboxRows: true,
        rows,
      });
  }
  await fs.syncDirectory(directory);
  segments.reverse();
  return { segments, nextSequence: (found.at(-1)?.sequence ?? 0) + 1, tornBytes, endless };
}

type FoundFile = {
  readonly path: string;
  readonly sequence: number;
  /** Whether it is the last written segment. */
  readonly mayBeTorn: boolean;
};

/** Undefined if the file could not be read. */
async function recoverOrSetAside(
  options: RecoverOptions,
  found: FoundFile,
): Promise<RecoveredFile | undefined> {
  try {
    return await recoverFile(options, found);
  } catch (error) {
    if (!isOfFile(error)) throw error;
    options.onFailure(error);
    await moveAside(options.fs, options.directory, found.path);
    return undefined;
  }
}

async function listSegments(fs: FileSystem, directory: string) {
  return (await fs.list(directory))
    .flatMap(name => {
      const sequence = sequenceOf(name);
      return sequence === undefined ? [] : [{ name, sequence }];
    })
    .sort((a, b) => a.sequence - b.sequence);
}

/** The recovered segment; no bytes if it has no rows. */
type RecoveredFile = {
  readonly id: string | undefined;
  readonly bytes: number;
  readonly tornBytes: number;
  readonly createdAtMs: number;
  /** The rows for ClickHouse; 0 if unknown. */
  readonly rows: number;
  /** Whether the segment had been finished and has no seal. */
  readonly isEndless?: boolean;
};

/** Retries, so that a transient disk error does not quarantine readable rows. */
const TRIES_MAX = 3;

async function recoverFile(options: RecoverOptions, found: FoundFile): Promise<RecoveredFile> {
  for (let tries = 1; ; tries++) {
    try {
      return await tryToRecoverFile(options, found);
    } catch (error) {
      if (tries === TRIES_MAX || !isOfFile(error)) throw error;
      options.onFailure(error);
    }
  }
}

async function tryToRecoverFile(options: RecoverOptions, found: FoundFile): Promise<RecoveredFile> {
  const file = await options.fs.open(found.path);
  try {
    return await recoverSegment(file, options, found);
  } finally {
    await file.close();
  }
}

async function recoverSegment(
  file: SpoolFile,
  { fs, directory, headerBytes, onFailure }: RecoverOptions,
  { sequence, mayBeTorn }: FoundFile,
): Promise<RecoveredFile> {
  const size = await file.size();
  const nothing = { id: undefined, bytes: 0, tornBytes: 0, createdAtMs: 0, rows: 0 };
  // Only a torn header: the crash happened while the file was created.
  if (size <= headerBytes && (await isWithoutFrames(file, size))) return nothing;
  const start = await findHeader(file, size, tablesKnownIn(fs, directory, sequence));
  // Left in place for the reader, which quarantines it.
  if (start === undefined) return { ...nothing, bytes: size };
  const { id, createdAtMs } = start.header;
  const seed = checksumSeed(id);
  const found = await sealOf(file, start.end, size, seed);
  if (found !== undefined) return { ...nothing, id, bytes: size, createdAtMs, rows: found.rows };
  const scan = await scanFrames(file, start.end, size, seed);
  const hasRows = scan.frames.some(frame => frame.kind === ROWS);
  const isEndless = !mayBeTorn && size > start.end;
  const tornBytes = isEndless ? 0 : size - scan.end;
  if (!hasRows && !isEndless) return { ...nothing, id, tornBytes, createdAtMs };
  if (tornBytes > 0) await file.truncate(scan.end);
  const rows = warehouseRows(start.header, scan);
  const sealBytes = await seal(file, size - tornBytes, sealFrame(seed, rows), onFailure);
  return { id, bytes: size - tornBytes + sealBytes, tornBytes, createdAtMs, rows, isEndless };
}

async function isWithoutFrames(file: SpoolFile, size: number): Promise<boolean> {
  return !(await file.read(0, size)).includes(MAGIC_BYTES);
}

function warehouseRows({ tables }: SegmentHeader, { frames }: Scan): number {
  const outbox = new Set(tables.filter(one => one.destination === 'outbox').map(({ id }) => id));
  return frames.reduce((sum, { tableId, rows }) => sum + (outbox.has(tableId) ? 0 : rows), 0);
}

async function sealOf(
  file: SpoolFile,
  start: number,
  size: number,
  seed: number,
): Promise<Frame | undefined> {
  if (size < start + FRAME_HEADER_BYTES) return undefined;
  const { frames } = await scanFrames(file, size - FRAME_HEADER_BYTES, size, seed);
  return frames[0]?.kind === SEAL ? frames[0] : undefined;
}

/**
 * The seal only saves the next start a scan of the whole file; a full disk may have no space for
 * it.
 */
async function seal(
  file: SpoolFile,
  end: number,
  frame: Buffer,
  onFailure: (error: unknown) => void,
): Promise<number> {
  try {
    await file.write(frame, end);
    await file.datasync();
    return frame.length;
  } catch (error) {
    onFailure(error);
    return 0;
  }
}
