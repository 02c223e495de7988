// The position of a log's reader: it has processed all segments below `sequence`. The file is
// replaced by rename, so a crash leaves the old or the new one. It has a checksum; a damaged cursor
// counts as missing. The reader then starts from the beginning, and its own lookups prevent
// duplicates. The warehouse's reader also saves the totals of its rows, after the position, where
// earlier releases ignore them.

import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { FileSystem } from './file-system.ts';
import type { Totals } from './row-totals.ts';

const FILE_BYTES_MAX = 256;

export async function loadCursor(fs: FileSystem, directory: string, name: string): Promise<number> {
  return (await loadPosition(fs, directory, name)).sequence;
}

type Position = { readonly sequence: number; readonly totals: Totals };

export async function loadPosition(
  fs: FileSystem,
  directory: string,
  name: string,
): Promise<Position> {
  const file = `${name}.cursor`;
  if (!(await fs.list(directory)).includes(file)) return NOWHERE;
  const handle = await fs.open(join(directory, file));
  try {
    return parsePosition((await handle.read(0, FILE_BYTES_MAX)).toString('utf8'));
  } finally {
    await handle.close();
  }
}

const NO_TOTALS: Totals = { stored: 0, delivered: 0 };
const NOWHERE: Position = { sequence: 0, totals: NO_TOTALS };

/** A damaged position counts as missing. */
export function parsePosition(text: string): Position {
  const [sequence = '', checksum, ...rest] = text.trim().split(' ');
  if (String(crc32(sequence)) !== checksum) return NOWHERE;
  const [stored, delivered, checksumOfTotals] = rest;
  const isWhole = String(crc32(`${stored} ${delivered}`)) === checksumOfTotals;
  return {
    sequence: Number(sequence),
    totals: isWhole ? { stored: Number(stored), delivered: Number(delivered) } : NO_TOTALS,
  };
}

export async function saveCursor(
  fs: FileSystem,
  directory: string,
  name: string,
  sequence: number,
  totals?: Totals,
): Promise<void> {
  const path = join(directory, `${name}.cursor`);
  const draft = `${path}.draft`;
  const handle = await fs.overwrite(draft);
  try {
    await handle.write(Buffer.from(`${checked(String(sequence))}${textOf(totals)}\n`), 0);
    await handle.datasync();
  } finally {
    await handle.close();
  }
  await fs.rename(draft, path);
  await fs.syncDirectory(directory);
}

function textOf(totals: Totals | undefined): string {
  return totals === undefined ? '' : ` ${checked(`${totals.stored} ${totals.delivered}`)}`;
}

function checked(text: string): string {
  return `${text} ${crc32(text)}`;
}
