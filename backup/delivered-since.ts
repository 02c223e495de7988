// Makes sure that the spool's copy has all rows that were delivered while the databases were being
// copied. Ingest removes a delivered segment after half an hour, but earlier if it needs the space.
// It removes the segments of a log in the order of their numbers. So if a segment was copied that is
// not after the first undelivered one, no later segment had been removed when the spool was listed.

import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { READERS } from '../ingest/cell-readers.ts';
import { parsePosition } from '../ingest/spool/cursor.ts';
import { nodeFileSystem } from '../ingest/spool/file-system.ts';
import { sequenceOf } from '../ingest/spool/segment.ts';
import { isRequeued, type LogFolder, listLogFolders } from '../ingest/spool/spool-folders.ts';

/**
 * The number of the first segment of each log that a database may not have yet, by the log's path in
 * the spool. The segment may not exist yet.
 */
export type Undelivered = ReadonlyMap<string, number>;

/** Paths in the spool. */
export type Copy = { readonly listed: ReadonlySet<string>; readonly copied: ReadonlySet<string> };

const FIRST = 1;
/** The position of a log without undelivered segments that never gets further ones. */
const FINISHED = Number.MAX_SAFE_INTEGER;

export async function readUndelivered(spool: string): Promise<Undelivered> {
  const undelivered = new Map<string, number>();
  for (const folder of await listLogFolders(nodeFileSystem, spool))
    undelivered.set(join(folder.cell, folder.log), await firstUndelivered(folder));
  return undelivered;
}

/** Rejects if a segment that was delivered after `atStart` was read is not in the copy. */
export async function requireDeliveredSince(
  spool: string,
  atStart: Undelivered,
  { listed, copied }: Copy,
): Promise<void> {
  // Read after the copy: a segment is removed only when the positions of its log are past it.
  const atEnd = await readUndelivered(spool);
  const files = Map.groupBy(listed, dirname);
  for (const log of new Set([...atStart.keys(), ...atEnd.keys()])) {
    const from = atStart.get(log) ?? FIRST;
    const to = atEnd.get(log) ?? FINISHED;
    if (from >= to) continue;
    const segments = (files.get(log) ?? []).map(file => {
      return { number: sequenceOf(basename(file)) ?? FINISHED, isCopied: copied.has(file) };
    });
    const isBegun = segments.some(({ number, isCopied }) => isCopied && number <= from);
    // The node removes empty segments when it stops; they are not below its positions.
    const isCut = segments.some(({ number, isCopied }) => {
      return !isCopied && number >= from && number < to;
    });
    if (!isBegun || isCut) throw new Error(incomplete(log));
  }
}

function incomplete(log: string): string {
  return (
    `The spool no longer has all rows that were delivered during the backup (log ${log}), so the backup would lack them. ` +
    'Ingest removes delivered segments after half an hour, and earlier if they fill a quarter of SPOOL_MAX_BYTES or the disk is nearly full. ' +
    'Run the backup again when there is less traffic, or raise SPOOL_MAX_BYTES and restart ingest.'
  );
}

async function firstUndelivered({ log, directory }: LogFolder): Promise<number> {
  const positions = await Promise.all(READERS.map(reader => positionOf(directory, reader)));
  const first = Math.max(FIRST, Math.min(...positions));
  if (!isRequeued(log)) return first;
  const names = await nodeFileSystem.list(directory);
  return names.some(name => (sequenceOf(name) ?? 0) >= first) ? first : FINISHED;
}

/** Opens the file only for reading, because the user of the backup may not be allowed to write. */
async function positionOf(directory: string, reader: string): Promise<number> {
  const text = await readFile(join(directory, `${reader}.cursor`), 'utf8').catch(
    (error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
      throw error;
    },
  );
  return parsePosition(text).sequence;
}
