// Reads and damages the spool files of a stopped process.

import { readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { loadCursor } from '../../ingest/spool/cursor.ts';
import { nodeFileSystem } from '../../ingest/spool/file-system.ts';
import { type Frame, ROWS } from '../../ingest/spool/frame.ts';
import { sequenceOf } from '../../ingest/spool/segment.ts';
import { checksumSeed, decodeSegmentHeader } from '../../ingest/spool/segment-header.ts';
import type { IngestProcess } from '../harness/ingest-process.ts';
import { scanBytes } from '../harness/scan-bytes.ts';

export type SegmentFile = {
  readonly path: string;
  readonly bytes: Buffer;
  readonly headerEnd: number;
  /** The frames with rows, in order. */
  readonly frames: readonly Frame[];
  readonly isSealed: boolean;
};

export function logDirectory(ingest: IngestProcess, thread = 0): string {
  return join(ingest.dataDirectory, 'ingest', 'spool', 'default', String(thread));
}

export async function segmentPaths(directory: string): Promise<string[]> {
  const names = await readdir(directory).catch(() => []);
  return names
    .filter(name => name.endsWith('.segment'))
    .sort()
    .map(name => join(directory, name));
}

/** Returns the segments that contain rows. */
export async function readSegments(directory: string): Promise<SegmentFile[]> {
  const files: SegmentFile[] = [];
  for (const path of await segmentPaths(directory)) {
    const bytes = await readFile(path);
    const start = decodeSegmentHeader(bytes);
    // The file is still being created.
    if (start === undefined) continue;
    const { frames } = await scanBytes(bytes, start.end, checksumSeed(start.header.id));
    const withRows = frames.filter(frame => frame.kind === ROWS);
    const isSealed = frames.at(-1)?.kind !== ROWS;
    if (withRows.length > 0)
      files.push({ path, bytes, headerEnd: start.end, frames: withRows, isSealed });
  }
  return files;
}

/** Returns the undelivered rows of a stopped process. */
export async function unsentSegments(ingest: IngestProcess, threads: number): Promise<string[]> {
  const unsent: string[] = [];
  for (let thread = 0; thread < threads; thread++) {
    const directory = logDirectory(ingest, thread);
    const sent = await loadCursor(nodeFileSystem, directory, 'clickhouse');
    const paths = await segmentPaths(directory);
    unsent.push(...paths.filter(path => sequenceOf(basename(path))! >= sent));
  }
  return unsent;
}

export function flipBit(file: SegmentFile, position: number, bit = 3): Promise<void> {
  const bytes = Buffer.from(file.bytes);
  bytes[position]! ^= 1 << bit;
  return writeFile(file.path, bytes);
}

export function fillWithZeros(file: SegmentFile, start: number, end: number): Promise<void> {
  return writeFile(file.path, Buffer.from(file.bytes).fill(0, start, end));
}

export function cutAt(file: SegmentFile, end: number): Promise<void> {
  return writeFile(file.path, file.bytes.subarray(0, end));
}

export function append(file: SegmentFile, tail: Uint8Array): Promise<void> {
  return writeFile(file.path, Buffer.concat([file.bytes, tail]));
}
