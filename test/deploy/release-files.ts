// The files of a release.

import { readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** Paths of all files, relative to the folder. */
export async function filesOf(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter(entry => entry.isFile())
    .map(entry => relative(folder, join(entry.parentPath, entry.name)));
}

export async function sizeBytes(folder: string, files: readonly string[]): Promise<number> {
  const sizes = await Promise.all(files.map(async file => (await stat(join(folder, file))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

export function nativeModules(files: readonly string[]): readonly string[] {
  return files.filter(file => file.endsWith('.node'));
}
