// Rows on their way out of a segment: the payloads of frames that a scan has found whole, one behind
// the other, a piece at a time. Each checksum is verified once more as the bytes go by; the next
// piece is read while somebody works on this one.

import { crc32 } from 'node:zlib';
import type { FileSystem, SpoolFile } from './file-system.ts';
import { CHECKSUM_AT, type Frame } from './frame.ts';
import { PIECE_BYTES } from './scan-frames.ts';

/** A segment can't be read, or what was read before has become something else. */
export class SegmentReadFailure extends Error {
  /** Of the segment. */
  readonly path: string;
  /** Of the call that failed. */
  readonly code: string | undefined;
  constructor(path: string, cause: unknown) {
    super(`${path}: ${String(cause)}`, { cause });
    this.path = path;
    this.code = (cause as NodeJS.ErrnoException).code;
  }
}

/** `frames` in the order of the file. A piece is the caller's until the next one is asked for. */
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
  // One is worked on while the other is filled.
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
    // The memory is free, and the file may be closed, only when nothing is being read.
    await ahead.catch(() => undefined);
    await file.close();
  }
}

/** All pieces in one, which is the caller's for good. */
export async function wholeOf(pieces: AsyncIterable<Buffer>): Promise<Buffer> {
  const copies: Buffer[] = [];
  for await (const piece of pieces) copies.push(Buffer.from(piece));
  return Buffer.concat(copies);
}

type Stretch = { readonly start: number; readonly end: number };

/** What has to be read for all frames, in pieces; what is between frames only where it is little. */
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

/** Takes the payloads out of what goes by, and watches their checksums. */
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

  /** Those in `bytes`, which begin at `start`, moved together where they are. */
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

  /** What of the file from `from` to `to` is in `bytes`, counted into the checksum. */
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
