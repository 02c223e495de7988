// Reads a sealed segment back. Every checksum is verified again: what goes to the warehouse is
// what was acknowledged, or it is not sent. Damaged stretches are copied into the quarantine and
// reported, and everything around them goes on.

import { join } from 'node:path';
import type { FileSystem } from './file-system.ts';
import { type Damage, type Frame, ROWS, scanFrames } from './frame.ts';
import { type SealedSegment, segmentName } from './segment.ts';
import { checksumSeed, decodeSegmentHeader, type SegmentHeader } from './segment-header.ts';

export type SegmentContents = {
  readonly header: SegmentHeader;
  readonly bytes: Buffer;
  readonly frames: readonly Frame[];
};

export type ReportDamage = (damage: { path: string; quarantinedAs: string; bytes: number }) => void;

/** The frames with rows; undefined when nothing of the segment can be read (it is quarantined). */
export async function readSegment(
  fs: FileSystem,
  directory: string,
  segment: SealedSegment,
  reportDamage: ReportDamage,
  memory?: Buffer,
): Promise<SegmentContents | undefined> {
  const file = await fs.open(segment.path);
  let bytes: Buffer;
  try {
    bytes = await file.read(0, segment.bytes, memory);
  } finally {
    await file.close();
  }
  const start = decodeSegmentHeader(bytes);
  const scan =
    start === undefined
      ? { frames: [], damages: [{ start: 0, end: bytes.length }], end: bytes.length }
      : scanFrames(bytes, start.end, checksumSeed(start.header.id));
  const damages: Damage[] = [...scan.damages];
  // A sealed segment ends with a whole frame; anything behind it is damage, not a torn tail.
  if (scan.end < bytes.length) damages.push({ start: scan.end, end: bytes.length });
  for (const damage of damages) {
    const quarantinedAs = await quarantine(fs, directory, segment, bytes, damage);
    if (quarantinedAs === undefined) continue;
    reportDamage({ path: segment.path, quarantinedAs, bytes: damage.end - damage.start });
  }
  // Also for copies of an earlier reading, which may have failed right here.
  if (damages.length > 0) await fs.syncDirectory(join(directory, 'quarantine'));
  if (start === undefined) return undefined;
  return { header: start.header, bytes, frames: scan.frames.filter(frame => frame.kind === ROWS) };
}

/**
 * Where the copy is; undefined when an earlier reading has made and reported it. Only a whole copy
 * has the name: what was half written when the disk failed or the process died is written anew.
 */
async function quarantine(
  fs: FileSystem,
  directory: string,
  segment: SealedSegment,
  bytes: Buffer,
  damage: Damage,
): Promise<string | undefined> {
  const folder = join(directory, 'quarantine');
  await fs.makeDirectory(folder);
  const name = `${segmentName(segment.sequence)}.${damage.start}-${damage.end}`;
  if ((await fs.list(folder)).includes(name)) return undefined;
  const path = join(folder, name);
  const draft = `${path}.draft`;
  const file = await fs.overwrite(draft);
  try {
    await file.write(bytes.subarray(damage.start, damage.end), 0);
    await file.datasync();
  } finally {
    await file.close();
  }
  await fs.rename(draft, path);
  return path;
}
