// Notes durably, before the first part of a refused block goes in, that a group's blocks may be
// in the warehouse in parts. Without the note some rows of a block mean all of it, since a block
// is one part; with it they have to be counted.

import { basename } from 'node:path';
import type { FileSystem } from '../spool/file-system.ts';
import { type SealedSegment, sequenceOf } from '../spool/segment.ts';

const SUFFIX = '.in-parts';

/** The note holds for the whole group of the segment. */
export async function markInParts(
  fs: FileSystem,
  directory: string,
  segment: Pick<SealedSegment, 'path'>,
): Promise<void> {
  const file = await fs.overwrite(`${segment.path}${SUFFIX}`);
  await file.close();
  await fs.syncDirectory(directory);
}

/** The sequence number of the segment that a note is about; undefined for other files. */
export function sequenceInParts(name: string): number | undefined {
  return name.endsWith(SUFFIX) ? sequenceOf(basename(name, SUFFIX)) : undefined;
}
