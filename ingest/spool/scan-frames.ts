// Finds the intact frames of a segment's file and verifies their checksums. The result is the same
// on every reading. The file is read in pieces, because a segment is too large for the memory of a
// thread.

import { crc32 } from 'node:zlib';
import type { SpoolFile } from './file-system.ts';
import {
  checksumOfHeader,
  FRAME_HEADER_BYTES,
  type Frame,
  MAGIC_BYTES,
  readFrameHeader,
} from './frame.ts';

export type Damage = { readonly start: number; readonly end: number };

export type Scan = {
  readonly frames: Frame[];
  /** Stretches that are not frames and are followed by intact frames. */
  readonly damages: Damage[];
  /** The end of the last intact frame. The bytes after it are a torn tail. */
  readonly end: number;
};

/** Large enough that reading is cheap, small enough for the cache of a core. */
export const PIECE_BYTES = 1024 * 1024;

/** Scans frames from `start` on. Precondition: the file has at least `size` bytes. */
export async function scanFrames(
  file: Pick<SpoolFile, 'read'>,
  start: number,
  size: number,
  seed: number,
  pieceBytes = PIECE_BYTES,
): Promise<Scan> {
  const view = new FileView(file, start, size, pieceBytes);
  const frames: Frame[] = [];
  const damages: Damage[] = [];
  let end = start;
  let pos = start;
  while (pos + FRAME_HEADER_BYTES <= size) {
    const frame = await frameAt(view, pos, size, seed);
    if (frame === undefined) {
      pos = await nextMagic(view, pos + 1, size);
      continue;
    }
    if (pos > end) damages.push({ start: end, end: pos });
    frames.push(frame);
    end = frame.end;
    pos = frame.end;
  }
  return { frames, damages, end };
}

/** The intact frame that begins at `start`, if any. */
export async function frameAt(
  view: FileView,
  start: number,
  size: number,
  seed: number,
): Promise<Frame | undefined> {
  const header = await view.from(start, FRAME_HEADER_BYTES);
  const frame = readFrameHeader(header, start, size);
  if (frame === undefined) return undefined;
  let checksum = checksumOfHeader(header, seed);
  for (let pos = frame.payloadStart; pos < frame.end; ) {
    const rest = await view.from(pos, 1);
    const piece = rest.subarray(0, frame.end - pos);
    checksum = crc32(piece, checksum);
    pos += piece.length;
  }
  return checksum === frame.checksum ? frame : undefined;
}

/** The next position at which a frame may begin; the end of the file if none. */
export async function nextMagic(view: FileView, start: number, size: number): Promise<number> {
  for (let pos = start; pos + MAGIC_BYTES.length <= size; ) {
    const bytes = await view.from(pos, MAGIC_BYTES.length);
    const found = bytes.indexOf(MAGIC_BYTES);
    if (found >= 0) return pos + found;
    pos += bytes.length - MAGIC_BYTES.length + 1;
  }
  return size;
}

/** A window of the file in memory, which moves with the position that is read. */
export class FileView {
  private readonly file: Pick<SpoolFile, 'read'>;
  private readonly size: number;
  private readonly memory: Buffer;
  private bytes: Buffer;
  private start = 0;

  constructor(file: Pick<SpoolFile, 'read'>, start: number, size: number, pieceBytes: number) {
    this.file = file;
    this.size = size;
    this.memory = Buffer.allocUnsafeSlow(Math.max(0, Math.min(pieceBytes, size - start)));
    this.bytes = this.memory.subarray(0, 0);
  }

  /** At least `least` bytes from `position` on, valid until the next call. */
  async from(position: number, least: number): Promise<Buffer> {
    const offset = position - this.start;
    if (offset >= 0 && offset + least <= this.bytes.length) return this.bytes.subarray(offset);
    const length = Math.min(this.memory.length, this.size - position);
    this.bytes = await this.file.read(position, length, this.memory);
    this.start = position;
    if (this.bytes.length < least)
      throw Object.assign(new Error(`The file ends before byte ${this.size}.`), { code: 'EIO' });
    return this.bytes;
  }
}
