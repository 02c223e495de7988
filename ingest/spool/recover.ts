// Brings a log's directory back to a state in which every segment is sealed: run at start, before
// anything is appended. A torn tail was never acknowledged and is cut; damage before whole frames
// is left where it is, for the reader to quarantine; a file that can't be read at all is set
// aside. Doing it twice, or being killed in between, ends the same.

import { join } from 'node:path';
import type { FileSystem, SpoolFile } from './file-system.ts';
import { FRAME_HEADER_BYTES, ROWS, SEAL, sealFrame } from './frame.ts';
import { scanFrames } from './scan-frames.ts';
import { type SealedSegment, sequenceOf } from './segment.ts';
import {
  checksumSeed,
  decodeSegmentHeader,
  HEADER_READ_BYTES,
  UnknownFormat,
} from './segment-header.ts';
import { isOfSegment, setAside } from './set-aside.ts';

export type Recovery = {
  readonly segments: SealedSegment[];
  readonly nextSequence: number;
  /** Bytes of torn tails that were cut. */
  readonly tornBytes: number;
};

export type RecoverOptions = {
  readonly fs: FileSystem;
  readonly directory: string;
  /** The length of a segment's header: a shorter file was never used. */
  readonly headerBytes: number;
  /** Hears of what could not be read or sealed. */
  readonly onFailure: (error: unknown) => void;
};

/** Rejects on what must not be ignored, such as a segment of a later release. */
export async function recoverLog(options: RecoverOptions): Promise<Recovery> {
  const { fs, directory, onFailure } = options;
  const segments: SealedSegment[] = [];
  let lastSequence = 0;
  let tornBytes = 0;
  for (const { name, sequence } of await listSegments(fs, directory)) {
    lastSequence = sequence;
    const path = join(directory, name);
    const recovered = await recoverOrSetAside(options, path);
    if (recovered === undefined) continue;
    const { bytes, createdAtMs } = recovered;
    tornBytes += recovered.tornBytes;
    // Left where it is, an empty file is in nobody's way, and the next start tries again.
    if (bytes === 0) await fs.unlink(path).catch(onFailure);
    else
      segments.push({
        sequence,
        path,
        bytes,
        createdAtMs,
        isFresh: false,
        mayHaveOutboxRows: true,
      });
  }
  await fs.syncDirectory(directory);
  return { segments, nextSequence: lastSequence + 1, tornBytes };
}

/** Undefined when it could not be read. */
async function recoverOrSetAside(
  options: RecoverOptions,
  path: string,
): Promise<RecoveredFile | undefined> {
  try {
    return await recoverFile(options, path);
  } catch (error) {
    if (error instanceof UnknownFormat || !isOfSegment(error)) throw error;
    options.onFailure(error);
    await setAside(options.fs, options.directory, path);
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

/** Of a recovered segment; no bytes when it has no rows. */
type RecoveredFile = {
  readonly bytes: number;
  readonly tornBytes: number;
  readonly createdAtMs: number;
};

/** One bad answer of the disk does not put rows aside that the next one gives back. */
const TRIES_MAX = 3;

async function recoverFile(options: RecoverOptions, path: string): Promise<RecoveredFile> {
  for (let tries = 1; ; tries++) {
    try {
      return await tryToRecoverFile(options, path);
    } catch (error) {
      const mayPass = isOfSegment(error) && !(error instanceof UnknownFormat);
      if (tries === TRIES_MAX || !mayPass) throw error;
      options.onFailure(error);
    }
  }
}

async function tryToRecoverFile(options: RecoverOptions, path: string): Promise<RecoveredFile> {
  const file = await options.fs.open(path);
  try {
    return await recoverSegment(file, options);
  } finally {
    await file.close();
  }
}

async function recoverSegment(
  file: SpoolFile,
  { headerBytes, onFailure }: RecoverOptions,
): Promise<RecoveredFile> {
  const size = await file.size();
  const start = decodeSegmentHeader(await file.read(0, HEADER_READ_BYTES));
  // A torn header: the crash came while the file was made, unless there is more than a header;
  // that is left to the reader, which quarantines it.
  if (start === undefined)
    return { bytes: size <= headerBytes ? 0 : size, tornBytes: 0, createdAtMs: 0 };
  const { createdAtMs } = start.header;
  const seed = checksumSeed(start.header.id);
  if (await isSealed(file, start.end, size, seed))
    return { bytes: size, tornBytes: 0, createdAtMs };
  const scan = await scanFrames(file, start.end, size, seed);
  const tornBytes = size - scan.end;
  if (!scan.frames.some(frame => frame.kind === ROWS)) return { bytes: 0, tornBytes, createdAtMs };
  if (tornBytes > 0) await file.truncate(scan.end);
  const sealBytes = await seal(file, scan.end, seed, onFailure);
  return { bytes: scan.end + sealBytes, tornBytes, createdAtMs };
}

async function isSealed(
  file: SpoolFile,
  start: number,
  size: number,
  seed: number,
): Promise<boolean> {
  if (size < start + FRAME_HEADER_BYTES) return false;
  const { frames } = await scanFrames(file, size - FRAME_HEADER_BYTES, size, seed);
  return frames[0]?.kind === SEAL;
}

/** The seal only saves the next start a look at the whole file; a full disk has no room for it. */
async function seal(
  file: SpoolFile,
  end: number,
  seed: number,
  onFailure: (error: unknown) => void,
): Promise<number> {
  const frame = sealFrame(seed);
  try {
    await file.write(frame, end);
    await file.datasync();
    return frame.length;
  } catch (error) {
    onFailure(error);
    return 0;
  }
}
