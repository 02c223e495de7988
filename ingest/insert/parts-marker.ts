// Notes durably, before the first half of a rejected block is inserted, that the warehouse may have
// parts of the group's blocks. Without the note, some rows of a block mean all of it, because a
// block is one part. With the note, the rows have to be counted.

import { basename } from 'node:path';
import type { FileSystem } from '../spool/file-system.ts';
import { type SealedSegment, sequenceOf } from '../spool/segment.ts';

const SUFFIX = '.in-parts';

/** The note applies to the whole group of the segment. */
export async function markInParts(
  fs: FileSystem,
  directory: string,
  segment: Pick<SealedSegment, 'path'>,
): Promise<void> {
  const file = await fs.overwrite(`${segment.path}${SUFFIX}`);
  await file.close();
  await fs.syncDirectory(directory);
}

/** The sequence number of the segment of a note; undefined for other files. */
export function sequenceInParts(name: string): number | undefined {
  return name.endsWith(SUFFIX) ? sequenceOf(basename(name, SUFFIX)) : undefined;
}
