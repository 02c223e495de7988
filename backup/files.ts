import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Manifest } from './manifest.ts';

type FileEntry = Manifest['files'][number];

/** Every file below the folder, with its size and checksum. Paths are relative to the folder. */
export async function describeFiles(directory: string): Promise<FileEntry[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(join(directory, '/').length))
    .sort();
  const files: FileEntry[] = [];
  for (const path of paths) files.push({ path, ...(await describeFile(join(directory, path))) });
  return files;
}

export async function describeFile(file: string): Promise<Omit<FileEntry, 'path'>> {
  const hash = createHash('sha256');
  let bytes = 0;
  await pipeline(createReadStream(file), async pieces => {
    for await (const piece of pieces as AsyncIterable<Buffer>) {
      hash.update(piece);
      bytes += piece.length;
    }
  });
  return { bytes, sha256: hash.digest('hex') };
}
