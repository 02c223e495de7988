// The columns that may have encoded the rows of a segment whose header is damaged: those of this
// release or, after an upgrade, those of neighboring segments.

import { join } from 'node:path';
import { ALL_TABLES } from '../../schema/rows/all-tables.ts';
import type { FileSystem } from './file-system.ts';
import type { KnownTables } from './find-header.ts';
import { sequenceOf } from './segment.ts';
import { decodeSegmentHeader, HEADER_READ_BYTES, UnknownFormat } from './segment-header.ts';
import { quarantineOf } from './spool-folders.ts';

/** Releases are rare: segments further away were written by the same release as these. */
const NEIGHBOURS_MAX = 32;

export function tablesKnownIn(fs: FileSystem, directory: string, ownSequence: number): KnownTables {
  return async function* () {
    yield ALL_TABLES;
    const folders = [directory, quarantineOf(directory)];
    const found = await Promise.all(folders.map(folder => segmentsIn(fs, folder, ownSequence)));
    const nearest = found.flat().sort((a, b) => a.distance - b.distance);
    for (const { path } of nearest.slice(0, NEIGHBOURS_MAX)) {
      const header = await headerOf(fs, path);
      if (header !== undefined) yield header.tables;
    }
  };
}

async function segmentsIn(fs: FileSystem, folder: string, ownSequence: number) {
  return (await fs.list(folder)).flatMap(name => {
    const sequence = sequenceOf(name);
    if (sequence === undefined) return [];
    return [{ path: join(folder, name), distance: Math.abs(sequence - ownSequence) }];
  });
}

/** Undefined if the neighbor is unreadable as well. */
async function headerOf(fs: FileSystem, path: string) {
  const file = await fs.open(path).catch(() => undefined);
  try {
    return decodeSegmentHeader((await file?.read(0, HEADER_READ_BYTES)) ?? Buffer.alloc(0))?.header;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof UnknownFormat || code === 'EIO') return undefined;
    throw error;
  } finally {
    await file?.close();
  }
}
