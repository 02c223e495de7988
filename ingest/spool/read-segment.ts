// Looks through a sealed segment before anything of it is sent. Every checksum is verified: what goes
// to the warehouse is what was acknowledged, or it is not sent. Damaged stretches are copied into the
// quarantine and reported, and everything around them goes on. The rows themselves are read when
// they are wanted, a piece at a time.

import { join } from 'node:path';
import type { FileSystem, SpoolFile } from './file-system.ts';
import { findHeader } from './find-header.ts';
import { type Frame, ROWS } from './frame.ts';
import { tablesKnownIn } from './known-tables.ts';
import { readPayloads, SegmentReadFailure } from './read-payloads.ts';
import { type Damage, PIECE_BYTES, type Scan, scanFrames } from './scan-frames.ts';
import { type SealedSegment, segmentName } from './segment.ts';
import { checksumSeed, type SegmentHeader, UnknownFormat } from './segment-header.ts';
import { quarantineOf } from './spool-folders.ts';

export type SegmentContents = {
  readonly header: SegmentHeader;
  /** Those with rows, in the order in which they were appended. */
  readonly frames: readonly Frame[];
  /** The rows of these frames, one behind the other. A piece lasts until the next is asked for;
   * rejects with a SegmentReadFailure where they are no longer what they were. */
  readonly payloadsOf: (frames: readonly Frame[]) => AsyncIterable<Buffer>;
};

export type ReportDamage = (damage: {
  path: string;
  /** Undefined for a header that was damaged and is known all the same: nothing of it is lost. */
  quarantinedAs: string | undefined;
  bytes: number;
}) => void;

/**
 * Undefined when nothing of the segment is whole (it is quarantined). Rejects with a
 * SegmentReadFailure when the disk does not give it back.
 */
export async function readSegment(
  fs: FileSystem,
  directory: string,
  segment: SealedSegment,
  reportDamage: ReportDamage,
): Promise<SegmentContents | undefined> {
  const { path } = segment;
  const file = await fs.open(path).catch(error => failToRead(path, error));
  try {
    const { start, seed, scan, size } = await lookThrough(fs, directory, segment, file).catch(
      error => failToRead(path, error),
    );
    const damages: Damage[] = [...scan.damages];
    // A sealed segment ends with a whole frame; anything behind it is damage, not a torn tail.
    if (scan.end < size) damages.push({ start: scan.end, end: size });
    // Of what is missing at the end there is an empty copy, whose name says what it was.
    if (size < segment.bytes) damages.push({ start: size, end: segment.bytes });
    if (start?.isRepaired) reportDamage({ path, quarantinedAs: undefined, bytes: start.end });
    for (const damage of damages) {
      const quarantinedAs = await quarantine(fs, directory, segment, file, damage);
      if (quarantinedAs === undefined) continue;
      reportDamage({ path, quarantinedAs, bytes: damage.end - damage.start });
    }
    // Also for copies of an earlier reading, which may have failed right here.
    if (damages.length > 0) await fs.syncDirectory(quarantineOf(directory));
    if (start === undefined) return undefined;
    return {
      header: start.header,
      frames: scan.frames.filter(frame => frame.kind === ROWS),
      payloadsOf: frames => readPayloads(fs, path, frames, seed),
    };
  } finally {
    await file.close();
  }
}

async function lookThrough(
  fs: FileSystem,
  directory: string,
  segment: SealedSegment,
  file: SpoolFile,
) {
  const size = Math.min(segment.bytes, await file.size());
  const start = await findHeader(file, size, tablesKnownIn(fs, directory, segment.sequence));
  if (start === undefined) return { start, seed: 0, scan: NOTHING, size };
  const seed = checksumSeed(start.header.id);
  return { start, seed, scan: await scanFrames(file, start.end, size, seed), size };
}

function failToRead(path: string, error: unknown): never {
  // A format that this release does not know is no fault of the disk.
  throw error instanceof UnknownFormat ? error : new SegmentReadFailure(path, error);
}

const NOTHING: Scan = { frames: [], damages: [], end: 0 };

async function quarantine(
  fs: FileSystem,
  directory: string,
  { sequence }: SealedSegment,
  damaged: SpoolFile,
  damage: Damage,
): Promise<string | undefined> {
  const folder = quarantineOf(directory);
  await fs.makeDirectory(folder);
  const name = `${segmentName(sequence)}.${damage.start}-${damage.end}`;
  return copyStretch(fs, folder, name, damaged, damage);
}

/**
 * Where the copy is; undefined when it was there. Only a whole copy has the name: what was half
 * written when the disk failed or the process died is written anew. The folder is still to be synced.
 */
export async function copyStretch(
  fs: FileSystem,
  folder: string,
  name: string,
  source: Pick<SpoolFile, 'read'>,
  { start, end }: Damage,
): Promise<string | undefined> {
  if ((await fs.list(folder)).includes(name)) return undefined;
  const path = join(folder, name);
  const draft = `${path}.draft`;
  const file = await fs.overwrite(draft);
  try {
    for (let pos = start; pos < end; pos += PIECE_BYTES) {
      const piece = await source.read(pos, Math.min(PIECE_BYTES, end - pos));
      await file.write(piece, pos - start);
    }
    await file.datasync();
  } finally {
    await file.close();
  }
  await fs.rename(draft, path);
  return path;
}
