// A segment that the disk can't give back must not hold up those behind it: it is kept in the
// quarantine, where an operator finds it whole. Nothing else sets a segment aside. A database that is
// away, refuses or answers with an error nobody knows says nothing about the segment.

import { basename, join } from 'node:path';
import type { FileSystem } from './file-system.ts';
import { SegmentReadFailure } from './read-payloads.ts';

/**
 * Gives the file a second name in the quarantine; the other reader still finds it under the first
 * one. Resolves to the second name; undefined when the file is gone.
 */
export function linkAside(
  fs: FileSystem,
  directory: string,
  path: string,
): Promise<string | undefined> {
  return keepAside(fs, directory, path, async to => {
    try {
      await fs.link(path, to);
    } catch (error) {
      // By the other reader.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  });
}

/** Moves the file there. Resolves to where it is now; undefined when it is gone. */
export function moveAside(
  fs: FileSystem,
  directory: string,
  path: string,
): Promise<string | undefined> {
  return keepAside(fs, directory, path, to => fs.rename(path, to));
}

async function keepAside(
  fs: FileSystem,
  directory: string,
  path: string,
  keep: (to: string) => Promise<void>,
): Promise<string | undefined> {
  const folder = join(directory, 'quarantine');
  const to = join(folder, basename(path));
  await fs.makeDirectory(folder);
  try {
    await keep(to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  await fs.syncDirectory(folder);
  await fs.syncDirectory(directory);
  return to;
}

/** Whether a segment failed to be read, and not something that was done with what was read. */
export function isUnreadable(error: unknown): error is SegmentReadFailure {
  return error instanceof SegmentReadFailure && isOfFile(error);
}

/**
 * Whether a call of the file system failed for this file alone: the disk can't give it back (its own
 * checksums tell it so), or it is gone. Anything else (no memory, no file handles) may pass.
 */
export function isOfFile(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EIO' || code === 'ENOENT';
}
