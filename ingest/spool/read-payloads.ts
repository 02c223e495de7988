// Reads the rows of a segment: the payloads of frames found intact by a scan, in order, one piece
// at a time. Each checksum is verified again while the bytes are read. The next piece is read while
// the caller processes the current one.

import { crc32 } from 'node:zlib';
import type { FileSystem, SpoolFile } from './file-system.ts';
import { CHECKSUM_AT, type Frame } from './frame.ts';
import { PIECE_BYTES } from './scan-frames.ts';

/** A segment cannot be read, or its bytes have changed since they were verified. */
export class SegmentReadFailure extends Error {
  /** The path of the segment. */
  readonly path: string;
  /** The error code of the failed call. */
  readonly code: string | undefined;
  constructor(path: string, cause: unknown) {
    super(`${path}: ${String(cause)}`, { cause });
    this.path = path;
    this.code = (cause as NodeJS.ErrnoException).code;
  }
}

/** `frames` in the order of the file. A piece is valid until the next one is requested. */
export async function* readPayloads(
  fs: FileSystem,
  path: string,
  frames: readonly Frame[],
  seed: number,
  pieceBytes = PIECE_BYTES,
): AsyncGenerator<Buffer> {
  const payloads = new Payloads(frames, seed);
  const stretches = stretchesOf(frames, pieceBytes);
  const longest = Math.max(0, ...stretches.map(({ start, end }) => end - start));
  // One buffer is processed while the other one is filled.
  const memories = stretches.slice(0, 2).map(() => Buffer.allocUnsafeSlow(longest));
  const file = await fs.open(path).catch(error => {
    throw new SegmentReadFailure(path, error);
  });
  const read = (turn: number) => readStretch(file, stretches[turn], memories[turn % 2]!);
  let ahead = read(0);
  try {
    for (const [turn, { start }] of stretches.entries()) {
      const bytes = await ahead;
      if (turn + 1 < stretches.length) ahead = read(turn + 1);
      const payload = payloads.within(bytes, start);
      if (payload.length > 0) yield payload;
    }
  } catch (error) {
    throw new SegmentReadFailure(path, error);
  } finally {
    // The memory is free, and the file may be closed, only when no read is in progress.
    await ahead.catch(() => undefined);
    await file.close();
  }
}

/** All pieces in one buffer, which the caller may keep. */
export async function wholeOf(pieces: AsyncIterable<Buffer>): Promise<Buffer> {
  const copies: Buffer[] = [];
  for await (const piece of pieces) copies.push(Buffer.from(piece));
  return Buffer.concat(copies);
}

type Stretch = { readonly start: number; readonly end: number };

/**
 * The ranges to read for all frames, in pieces. Gaps between frames are read only if they are
 * small.
 */
function stretchesOf(frames: readonly Frame[], pieceBytes: number): Stretch[] {
  const stretches: { start: number; end: number }[] = [];
  let last: { start: number; end: number } | undefined;
  for (const frame of frames) {
    for (let pos = frame.start; pos < frame.end; pos = last.end) {
      if (last === undefined || pos >= last.start + pieceBytes) {
        last = { start: pos, end: pos };
        stretches.push(last);
      }
      last.end = Math.min(frame.end, last.start + pieceBytes);
    }
  }
  return stretches;
}

async function readStretch(
  file: SpoolFile,
  stretch: Stretch | undefined,
  memory: Buffer | undefined,
): Promise<Buffer> {
  if (stretch === undefined) return Buffer.alloc(0);
  const length = stretch.end - stretch.start;
  const bytes = await file.read(stretch.start, length, memory);
  if (bytes.length < length) throw new Error(`the file ends before byte ${stretch.end}`);
  return bytes;
}

/** Extracts the payloads from the bytes read, and verifies their checksums. */
class Payloads {
  private readonly frames: readonly Frame[];
  private readonly seed: number;
  private index = 0;
  private checksum: number;

  constructor(frames: readonly Frame[], seed: number) {
    this.frames = frames;
    this.seed = seed;
    this.checksum = seed;
  }

  /** The payload bytes in `bytes`, which begin at `start`, moved together in place. */
  within(bytes: Buffer, start: number): Buffer {
    const end = start + bytes.length;
    let from: number | undefined;
    let length = 0;
    for (let frame = this.frames[this.index]; frame !== undefined && frame.start < end; ) {
      this.pass(bytes, start, frame.start, frame.start + CHECKSUM_AT);
      const payload = this.pass(bytes, start, frame.payloadStart, frame.end);
      from ??= payload.byteOffset - bytes.byteOffset;
      const position = payload.byteOffset - bytes.byteOffset;
      if (position !== from + length)
        bytes.copyWithin(from + length, position, position + payload.length);
      length += payload.length;
      if (frame.end > end) break;
      this.requireWhole(frame);
      frame = this.frames[this.index];
    }
    return bytes.subarray(from ?? 0, (from ?? 0) + length);
  }

  /** The bytes of the file from `from` to `to` that are in `bytes`, added to the checksum. */
  private pass(bytes: Buffer, start: number, from: number, to: number): Buffer {
    const begin = Math.min(Math.max(from - start, 0), bytes.length);
    const piece = bytes.subarray(begin, Math.max(begin, Math.min(to - start, bytes.length)));
    if (piece.length > 0) this.checksum = crc32(piece, this.checksum);
    return piece;
  }

  private requireWhole(frame: Frame): void {
    if (this.checksum !== frame.checksum)
      throw new Error(`the frame at byte ${frame.start} has changed since it was verified`);
    this.index++;
    this.checksum = this.seed;
  }
}
