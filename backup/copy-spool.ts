// Copies the spool of a node, which may be running: sealed segments never change, and an open one
// may be copied at any moment, because recovery drops an incomplete end that was not acknowledged.

import { copyFile, mkdir, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { requireDeliveredSince, type Undelivered } from './delivered-since.ts';
import type { SpoolManifest } from './manifest.ts';

const FOLDER = 'spool';
/**
 * Positions of the readers are not copied, because the restored databases are older than the positions.
 * Without them, ingest delivers all rows of the copy that the restored databases do not have.
 */
const POSITION = /\.cursor(?:\.draft)?$/;
/** While it is listed and copied, a running node may remove segments that were delivered long ago. */
const ATTEMPTS_MAX = 3;

/** The spool's path relative to the folder of ingest. */
export const SPOOL = 'spool';

/** Rejects if the spool no longer has all rows that were delivered after `undelivered` was read. */
export async function copySpool(
  ingest: string,
  directory: string,
  undelivered: Undelivered,
  log: (line: string) => void,
): Promise<SpoolManifest> {
  const [source, target] = [join(ingest, SPOOL), join(directory, FOLDER)];
  await mkdir(target);
  const listed = new Set<string>();
  const copied = new Set<string>();
  // A segment that is sealed while others are copied is only in a later listing.
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    const files = (await filesIn(source)).filter(file => !copied.has(file));
    for (const file of files) {
      listed.add(file);
      if (await copy(join(source, file), join(target, file))) copied.add(file);
    }
  }
  await requireDeliveredSince(source, undelivered, { listed, copied });
  const segments = [...copied].filter(file => file.endsWith('.segment')).length;
  log(`Spool: ${segments} segments copied`);
  return { folder: FOLDER, segments };
}

/** Rejects if there is a spool already. */
export async function requireNoSpool(ingest: string): Promise<void> {
  const files = await filesIn(join(ingest, SPOOL));
  if (files.length === 0) return;
  throw new Error(`${join(ingest, SPOOL)} is not empty. Restore into a DATA_DIR without a spool.`);
}

export async function restoreSpool(
  ingest: string,
  directory: string,
  { folder, segments }: SpoolManifest,
  log: (line: string) => void,
): Promise<void> {
  for (const file of await filesIn(join(directory, folder)))
    await copy(join(directory, folder, file), join(ingest, SPOOL, file));
  log(`Spool: ${segments} segments restored`);
}

/** In the order of their names, so that an open segment is copied after the sealed ones. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
    (error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    },
  );
  return entries
    .filter(entry => entry.isFile() && !POSITION.test(entry.name))
    .map(entry => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

/** False if the file no longer exists. */
async function copy(from: string, to: string): Promise<boolean> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  try {
    await copyFile(from, to);
    return (await stat(to)).isFile();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
