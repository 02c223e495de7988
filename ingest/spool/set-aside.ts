// A segment that can't be read back must not hold up those behind it. Its file is moved into the
// quarantine, where an operator finds it whole.

import { basename, join } from 'node:path';
import type { FileSystem } from './file-system.ts';

/** Resolves to where the file is now; undefined when it is gone. */
export async function setAside(
  fs: FileSystem,
  directory: string,
  path: string,
): Promise<string | undefined> {
  const folder = join(directory, 'quarantine');
  const to = join(folder, basename(path));
  await fs.makeDirectory(folder);
  try {
    await fs.rename(path, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  await fs.syncDirectory(folder);
  await fs.syncDirectory(directory);
  return to;
}

/**
 * Whether a failure to read is the segment's own: the disk can't give it back, it is gone, or its
 * contents make no sense. Anything else (no memory, no file handles) may pass.
 */
export function isOfSegment(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === undefined || code === 'EIO' || code === 'ENOENT';
}
