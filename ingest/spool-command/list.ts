// Lists each log's waiting segments, reader positions and quarantine, from the names and sizes on
// disk. Works while the node runs or is stopped.

import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { READERS } from '../cell-readers.ts';
import { loadCursor } from '../spool/cursor.ts';
import type { FileSystem } from '../spool/file-system.ts';
import { decodeSegmentHeader, HEADER_READ_BYTES, UnknownFormat } from '../spool/segment-header.ts';
import { type LogFolder, listLogFolders } from '../spool/spool-folders.ts';
import { nameInSpool, type QuarantinedFile, quarantinedIn, segmentsOf } from './spool-path.ts';

type ListedFile = {
  /** `<cell>/<thread>/<name>` */
  readonly file: string;
  readonly bytes: number;
  /** When it was last written. A copy is written when the bytes are quarantined. */
  readonly since: string;
  readonly reason: string;
};

export type ListedLog = {
  readonly cell: string;
  readonly log: string;
  /** Each reader has processed all segments below its number. */
  readonly cursors: Readonly<Record<string, number>>;
  /** Segments with rows that at least one reader has not processed, including the open one. */
  readonly waiting: {
    readonly segments: number;
    readonly bytes: number;
    readonly since: string | null;
  };
  /** Delivered segments, which are retained for half an hour. */
  readonly kept: { readonly segments: number; readonly bytes: number };
  readonly quarantined: readonly ListedFile[];
};

export async function listSpool(fs: FileSystem, spool: string): Promise<ListedLog[]> {
  const logs: ListedLog[] = [];
  for (const log of await listLogFolders(fs, spool)) logs.push(await listLog(fs, log));
  return logs;
}

async function listLog(fs: FileSystem, log: LogFolder): Promise<ListedLog> {
  const cursors: Record<string, number> = {};
  for (const reader of READERS) cursors[reader] = await loadCursor(fs, log.directory, reader);
  const passed = Math.min(...Object.values(cursors));
  const waiting: Stats[] = [];
  const kept: Stats[] = [];
  for (const { folder, name, sequence } of await segmentsOf(fs, log)) {
    const path = join(folder, name);
    const stats = await statsOf(path);
    if (stats === undefined || (await hasNoRows(path, stats))) continue;
    (sequence >= passed ? waiting : kept).push(stats);
  }
  return {
    cell: log.cell,
    log: log.log,
    cursors,
    waiting: { segments: waiting.length, bytes: bytesOf(waiting), since: oldestOf(waiting) },
    kept: { segments: kept.length, bytes: bytesOf(kept) },
    quarantined: await listQuarantined(fs, log),
  };
}

async function listQuarantined(fs: FileSystem, log: LogFolder): Promise<ListedFile[]> {
  const files: ListedFile[] = [];
  for (const file of await quarantinedIn(fs, log)) {
    const stats = await statsOf(join(file.folder, file.name));
    if (stats === undefined) continue;
    files.push({
      file: nameInSpool(file),
      bytes: stats.bytes,
      since: new Date(stats.atMs).toISOString(),
      reason: reasonOf(file, stats.bytes),
    });
  }
  return files;
}

function reasonOf(file: QuarantinedFile, bytes: number): string {
  if (file.sequence === undefined)
    return file.name.endsWith('.row')
      ? 'a row rejected by its table and by rejected_events'
      : 'not a spool file';
  const { start, end } = file;
  if (end === undefined) return 'a segment that could not be read';
  if (bytes === 0) return `bytes ${start} to ${end} of a segment were missing`;
  return `bytes ${start} to ${end} of a segment failed their checksum`;
}

/** A node always has two such segments per log: the one it appends to next, and the following one. */
async function hasNoRows(path: string, { bytes }: Stats): Promise<boolean> {
  if (bytes > HEADER_READ_BYTES) return false;
  try {
    return decodeSegmentHeader(await readFile(path))?.end === bytes;
  } catch (error) {
    if (error instanceof UnknownFormat || (error as NodeJS.ErrnoException).code === 'ENOENT')
      return false;
    throw error;
  }
}

type Stats = { readonly bytes: number; readonly atMs: number };

/** Undefined if the node has removed the file in the meantime. */
async function statsOf(path: string): Promise<Stats | undefined> {
  try {
    const { size, mtimeMs } = await stat(path);
    return { bytes: size, atMs: mtimeMs };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function bytesOf(files: readonly Stats[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

function oldestOf(files: readonly Stats[]): string | null {
  if (files.length === 0) return null;
  return new Date(Math.min(...files.map(({ atMs }) => atMs))).toISOString();
}
