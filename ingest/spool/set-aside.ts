// Quarantines segments that the disk cannot read, so that they do not block the following ones. The
// file is kept whole for an operator. There is no other reason to quarantine a segment: a database
// that is unavailable or returns an unknown error says nothing about the segment.

import { basename, join } from 'node:path';
import type { FileSystem } from './file-system.ts';
import { SegmentReadFailure } from './read-payloads.ts';

/**
 * Links the file into the quarantine; the other reader can still read it under its first name.
 * Resolves to the new path; undefined if the file no longer exists.
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
      // Linked by the other reader.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  });
}

/**
 * Moves the file into the quarantine. Resolves to the new path; undefined if the file no longer
 * exists.
 */
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

/** Whether reading the segment failed, and not the processing of its rows. */
export function isUnreadable(error: unknown): error is SegmentReadFailure {
  return error instanceof SegmentReadFailure && isOfFile(error);
}

/**
 * Whether a file system call failed for this file alone: the disk cannot read it (its own checksums
 * detect the damage), or it no longer exists. Any other error (no memory, no file handles) may be
 * temporary.
 */
export function isOfFile(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EIO' || code === 'ENOENT';
}
