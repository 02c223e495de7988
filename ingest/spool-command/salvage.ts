// Finds the recoverable part of a segment's file: every frame with a valid checksum, if the header
// is intact, repaired, or proven by the rows.

import { join } from 'node:path';
import type { FileSystem, SpoolFile } from '../spool/file-system.ts';
import { type FoundHeader, findHeader } from '../spool/find-header.ts';
import { type Frame, ROWS, SEAL } from '../spool/frame.ts';
import { tablesKnownIn } from '../spool/known-tables.ts';
import { type Damage, type Scan, scanFrames } from '../spool/scan-frames.ts';
import { checksumSeed, type SegmentHeader } from '../spool/segment-header.ts';
import type { SpoolPath } from './spool-path.ts';

export type Salvage = {
  readonly bytes: number;
  /** Undefined if the owner of the rows cannot be determined. */
  readonly header: SegmentHeader | undefined;
  readonly isHeaderDamaged: boolean;
  /** The intact frames with rows, in the order of the file. */
  readonly frames: readonly Frame[];
  readonly rows: number;
  /** The stretches that are not intact frames, including the beginning and the end of the file. */
  readonly damages: readonly Damage[];
  /** Whether the file ends with a seal. */
  readonly isSealed: boolean;
};

/** Rejects with UnknownFormat for a segment of a later release. */
export async function salvage(fs: FileSystem, path: SpoolPath): Promise<Salvage> {
  const opened = await fs.open(join(path.folder, path.name));
  try {
    const file = readAroundErrors(opened);
    const bytes = await opened.size();
    const known = tablesKnownIn(fs, path.log.directory, path.sequence);
    const found = await findHeader(file, bytes, known);
    if (found === undefined) return nothingOf(bytes);
    // A copy of a stretch of a segment has no header, so unreadable bytes at its start are damaged
    // frames.
    const begin = path.start === 0 ? found.end : 0;
    const scan = await scanFrames(file, begin, bytes, checksumSeed(found.header.id));
    return salvaged(bytes, found, scan);
  } finally {
    await opened.close();
  }
}

function nothingOf(bytes: number): Salvage {
  return {
    bytes,
    header: undefined,
    isHeaderDamaged: true,
    frames: [],
    rows: 0,
    damages: [{ start: 0, end: bytes }],
    isSealed: false,
  };
}

function salvaged(bytes: number, { header, isRepaired }: FoundHeader, scan: Scan): Salvage {
  const frames = scan.frames.filter(({ kind }) => kind === ROWS);
  const damages = [...scan.damages];
  if (scan.end < bytes) damages.push({ start: scan.end, end: bytes });
  return {
    bytes,
    header,
    isHeaderDamaged: isRepaired,
    frames,
    rows: frames.reduce((sum, frame) => sum + frame.rows, 0),
    damages,
    isSealed: scan.frames.at(-1)?.kind === SEAL && scan.end === bytes,
  };
}

/** The unit in which a disk reads or fails to read. */
const SECTOR_BYTES = 4 * 1024;

/** Unreadable sectors are read as zeros, so that the data around them can still be found. */
export function readAroundErrors(file: SpoolFile): Pick<SpoolFile, 'read'> {
  return {
    async read(position, length, memory) {
      try {
        return await file.read(position, length, memory);
      } catch (error) {
        if (!isUnreadable(error)) throw error;
      }
      const bytes = memory !== undefined && memory.length >= length ? memory : Buffer.alloc(length);
      let filled = 0;
      while (filled < length) {
        const start = position + filled;
        const wanted = Math.min(SECTOR_BYTES - (start % SECTOR_BYTES), length - filled);
        const piece = await file.read(start, wanted).catch(error => {
          if (!isUnreadable(error)) throw error;
          return Buffer.alloc(wanted);
        });
        filled += piece.copy(bytes, filled);
        if (piece.length < wanted) break;
      }
      return bytes.subarray(0, filled);
    },
  };
}

function isUnreadable(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EIO';
}
