// Reads a sealed segment before any of it is sent. Every checksum is verified, so that only
// acknowledged bytes reach the warehouse. Damaged stretches are copied to the quarantine and
// reported, and the intact frames around them are delivered. The rows are read later, one piece at
// a time.

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
  /** Frames with rows, in the order in which they were appended. */
  readonly frames: readonly Frame[];
  /**
   * The rows of these frames, in order. A piece is valid until the next one is requested. Rejects
   * with a SegmentReadFailure if the bytes have changed.
   */
  readonly payloadsOf: (frames: readonly Frame[]) => AsyncIterable<Buffer>;
};

export type ReportDamage = (damage: {
  path: string;
  /** Undefined for a damaged header that was reconstructed, because no data is lost. */
  quarantinedAs: string | undefined;
  bytes: number;
}) => void;

/**
 * Undefined if no part of the segment is intact (it is quarantined). Rejects with a
 * SegmentReadFailure if the disk cannot read it.
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
    // A sealed segment ends with a seal. Bytes after it are damage, not a torn tail.
    if (scan.end < size) damages.push({ start: scan.end, end: size });
    // Missing bytes at the end get an empty copy, whose name states their range.
    if (size < segment.bytes) damages.push({ start: size, end: segment.bytes });
    if (start?.isRepaired) reportDamage({ path, quarantinedAs: undefined, bytes: start.end });
    for (const damage of damages) {
      const quarantinedAs = await quarantine(fs, directory, segment, file, damage);
      if (quarantinedAs === undefined) continue;
      reportDamage({ path, quarantinedAs, bytes: damage.end - damage.start });
    }
    // Also handles copies of an earlier attempt, which may have failed at this point.
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
  // A format of a later release is not a disk error.
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
 * Returns the path of the copy; undefined if it existed already. Only a complete copy has the name:
 * a copy left incomplete by a disk error or a crash is written again. The caller syncs the folder.
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
