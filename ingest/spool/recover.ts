// Brings a log's directory back to a state in which every segment is sealed: run at start, before
// anything is appended. A torn tail was never acknowledged and is cut; damage before whole frames
// is left where it is, for the reader to quarantine. Doing it twice, or being killed in between,
// ends the same.

import { join } from 'node:path';
import type { FileSystem, SpoolFile } from './file-system.ts';
import { FRAME_HEADER_BYTES, ROWS, SEAL, scanFrames, sealFrame } from './frame.ts';
import { type SealedSegment, sequenceOf } from './segment.ts';
import { checksumSeed, decodeSegmentHeader } from './segment-header.ts';

export type Recovery = {
  readonly segments: SealedSegment[];
  readonly nextSequence: number;
  /** Bytes of torn tails that were cut. */
  readonly tornBytes: number;
};

/** Enough for any header; then the seal can be checked without reading the whole file. */
const HEADER_READ_BYTES = 64 * 1024;

export async function recoverLog(fs: FileSystem, directory: string): Promise<Recovery> {
  const sequences = (await fs.list(directory))
    .map(name => ({ name, sequence: sequenceOf(name) }))
    .filter(entry => entry.sequence !== undefined)
    .map(entry => ({ name: entry.name, sequence: entry.sequence as number }))
    .sort((a, b) => a.sequence - b.sequence);
  const segments: SealedSegment[] = [];
  let tornBytes = 0;
  for (const { name, sequence } of sequences) {
    const path = join(directory, name);
    const file = await fs.open(path);
    const result = await recoverSegment(file);
    await file.close();
    tornBytes += result.tornBytes;
    if (result.isEmpty) await fs.unlink(path);
    else
      segments.push({
        sequence,
        path,
        bytes: result.bytes,
        createdAtMs: result.createdAtMs,
        isFresh: false,
      });
  }
  await fs.syncDirectory(directory);
  return { segments, nextSequence: (sequences.at(-1)?.sequence ?? 0) + 1, tornBytes };
}

type SegmentRecovery = { bytes: number; tornBytes: number; isEmpty: boolean; createdAtMs: number };

async function recoverSegment(file: SpoolFile): Promise<SegmentRecovery> {
  const size = await file.size();
  const start = decodeSegmentHeader(await file.read(0, HEADER_READ_BYTES));
  // A header that is not whole with nothing behind it: the crash came while the file was made.
  if (start === undefined)
    return { bytes: size, tornBytes: 0, isEmpty: !(await hasFrames(file, size)), createdAtMs: 0 };
  const { createdAtMs } = start.header;
  const seed = checksumSeed(start.header.id);
  if (await isSealed(file, start.end, size, seed))
    return { bytes: size, tornBytes: 0, isEmpty: false, createdAtMs };
  const bytes = await file.read(0, size);
  const scan = scanFrames(bytes, start.end, seed);
  const tornBytes = size - scan.end;
  if (!scan.frames.some(frame => frame.kind === ROWS))
    return { bytes: 0, tornBytes, isEmpty: true, createdAtMs };
  if (tornBytes > 0) await file.truncate(scan.end);
  const seal = sealFrame(seed);
  await file.write(seal, scan.end);
  await file.datasync();
  return { bytes: scan.end + seal.length, tornBytes, isEmpty: false, createdAtMs };
}

async function isSealed(
  file: SpoolFile,
  start: number,
  size: number,
  seed: number,
): Promise<boolean> {
  if (size < start + FRAME_HEADER_BYTES) return false;
  const tail = await file.read(size - FRAME_HEADER_BYTES, FRAME_HEADER_BYTES);
  return scanFrames(tail, 0, seed).frames[0]?.kind === SEAL;
}

/** Whether a file with a damaged header may hold rows: then it is kept for the quarantine. */
async function hasFrames(file: SpoolFile, size: number): Promise<boolean> {
  return (await file.read(0, size)).includes('FRM1');
}
