// Requeues quarantined files. The intact part of a file is handed to the node; once that part
// is durable, the file is removed, and its damaged bytes stay as a smaller file. If the command is
// interrupted, nothing is lost; if it is repeated, nothing is delivered twice.

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { READERS } from '../cell-readers.ts';
import { loadCursor } from '../spool/cursor.ts';
import type { FileSystem } from '../spool/file-system.ts';
import { copyStretch } from '../spool/read-segment.ts';
import { UnknownFormat } from '../spool/segment-header.ts';
import { type LogFolder, listLogFolders } from '../spool/spool-folders.ts';
import { handOver, type Salvaged } from './hand-over.ts';
import { readAroundErrors, type Salvage, salvage } from './salvage.ts';
import {
  nameInSpool,
  type QuarantinedFile,
  quarantinedIn,
  type SpoolPath,
  stretchName,
} from './spool-path.ts';

export type Requeued = {
  /** `<cell>/<thread>/<name>` */
  readonly file: string;
  readonly outcome: 'requeued' | 'nothing whole' | 'being read' | 'later release' | 'not a segment';
  /** The rows handed to the node. */
  readonly rows: number;
  /** The bytes that stay in quarantine. */
  readonly bytesLeft: number;
};

type RequeueOptions = {
  readonly fs: FileSystem;
  readonly spool: string;
  /** Names as printed by `list`, with or without the folders. If empty, all files. */
  readonly names: readonly string[];
  /** A UUIDv7. */
  newId(): string;
};

export async function requeue(options: RequeueOptions): Promise<Requeued[]> {
  const { fs, spool, names } = options;
  await removeDrafts(fs, spool);
  const results: Requeued[] = [];
  for (const log of await listLogFolders(fs, spool)) {
    const files = await quarantinedIn(fs, log);
    const wanted = files.filter(
      file => names.length === 0 || names.includes(file.name) || names.includes(nameInSpool(file)),
    );
    if (wanted.length > 0) results.push(...(await requeueOf(options, log, wanted)));
  }
  return results;
}

async function requeueOf(
  options: RequeueOptions,
  log: LogFolder,
  files: readonly QuarantinedFile[],
): Promise<Requeued[]> {
  const { fs, spool } = options;
  const results: Requeued[] = [];
  const found: Salvaged[] = [];
  for (const file of files) {
    const looked = await lookAt(fs, file);
    if ('outcome' in looked) results.push(looked);
    else found.push(looked);
  }
  const withRows = found.filter(salvaged => salvaged.salvage.rows > 0);
  const cell = join(spool, log.cell);
  if (withRows.length > 0) await handOver(fs, cell, options.newId(), withRows);
  for (const salvaged of found) results.push(await keepRest(fs, salvaged));
  return results.sort((a, b) => (a.file < b.file ? -1 : 1));
}

/** Returns the part of the file that can be handed over, or why there is none. */
async function lookAt(fs: FileSystem, file: QuarantinedFile): Promise<Salvaged | Requeued> {
  const path = join(file.folder, file.name);
  const left = (outcome: Requeued['outcome'], bytesLeft: number): Requeued => {
    return { file: nameInSpool(file), outcome, rows: 0, bytesLeft };
  };
  if (file.sequence === undefined) return left('not a segment', await sizeOf(fs, path));
  if (await isBeingRead(fs, file)) return left('being read', await sizeOf(fs, path));
  let found: Salvage;
  try {
    found = await salvage(fs, file);
  } catch (error) {
    if (!(error instanceof UnknownFormat)) throw error;
    return left('later release', await sizeOf(fs, path));
  }
  // A segment that was never used is also intact.
  const isNothingWhole = found.rows === 0 && found.damages.length > 0;
  return isNothingWhole ? left('nothing whole', found.bytes) : { path: file, salvage: found };
}

/** Damaged stretches stay in quarantine, named after their position in the segment. */
async function keepRest(fs: FileSystem, { path, salvage: found }: Salvaged): Promise<Requeued> {
  const whole = join(path.folder, path.name);
  if (found.damages.length > 0) {
    const file = await fs.open(whole);
    try {
      const source = readAroundErrors(file);
      for (const damage of found.damages) {
        const name = stretchName(path, damage.start, damage.end);
        await copyStretch(fs, path.folder, name, source, damage);
      }
    } finally {
      await file.close();
    }
    await fs.syncDirectory(path.folder);
  }
  await fs.unlink(whole);
  await fs.syncDirectory(path.folder);
  const bytesLeft = found.damages.reduce((sum, { start, end }) => sum + end - start, 0);
  return { file: nameInSpool(path), outcome: 'requeued', rows: found.rows, bytesLeft };
}

/**
 * Whether the node still has the segment for one of its readers. Two logs must not insert the same
 * rows at once.
 */
async function isBeingRead(fs: FileSystem, { log, sequence, name }: SpoolPath): Promise<boolean> {
  const segment = name.replace(/\.\d+-\d+$/, '');
  if (!(await fs.list(log.directory)).includes(segment)) return false;
  const cursors = await Promise.all(READERS.map(reader => loadCursor(fs, log.directory, reader)));
  return Math.min(...cursors) <= sequence;
}

/** Left by an earlier run that was interrupted. Its sources are still in quarantine. */
async function removeDrafts(fs: FileSystem, spool: string): Promise<void> {
  for (const cell of await fs.list(spool))
    for (const name of await fs.list(join(spool, cell)))
      if (/^requeue-.*\.draft$/.test(name)) await rm(join(spool, cell, name), { recursive: true });
}

async function sizeOf(fs: FileSystem, path: string): Promise<number> {
  const file = await fs.open(path);
  try {
    return await file.size();
  } finally {
    await file.close();
  }
}
