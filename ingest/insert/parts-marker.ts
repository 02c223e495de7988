// Notes durably, before the first part of a refused block goes in, that a segment's blocks may be
// in the warehouse in parts. Without the note some rows of a block mean all of it, since a block
// is one part; with it they have to be counted.

import type { FileSystem } from '../spool/file-system.ts';
import type { SealedSegment } from '../spool/segment.ts';

const SUFFIX = '.in-parts';

export async function markInParts(
  fs: FileSystem,
  directory: string,
  segment: Pick<SealedSegment, 'path'>,
): Promise<void> {
  const file = await fs.overwrite(`${segment.path}${SUFFIX}`);
  await file.close();
  await fs.syncDirectory(directory);
}

export async function isInParts(
  fs: FileSystem,
  directory: string,
  segment: SealedSegment,
): Promise<boolean> {
  const name = `${segment.path}${SUFFIX}`.slice(directory.length + 1);
  return (await fs.list(directory)).includes(name);
}

/** Removes the notes of segments that are gone. */
export async function sweepMarkers(fs: FileSystem, directory: string): Promise<void> {
  const names = new Set(await fs.list(directory));
  for (const name of names) {
    if (!name.endsWith(SUFFIX) || names.has(name.slice(0, -SUFFIX.length))) continue;
    await fs.unlink(`${directory}/${name}`);
  }
}
