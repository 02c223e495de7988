// Undoes a body's Content-Encoding, all of it or none: a body that ends early, or goes on behind its
// end, is refused. zlib stops as soon as the limit is passed, so a bomb costs no more than an honest body.

import * as zlib from 'node:zlib';
import { type Problem, problem } from '../../schema/values/problem.ts';
import { BODY_BYTES_MAX } from '../limits.ts';
import { zstdFrames } from './zstd-frames.ts';

/** Throws for what is damaged, cut off, or followed by something else. */
type Decompress = (bytes: Buffer, maxOutputLength: number) => Promise<Buffer>;

const DECOMPRESS = new Map<string, Decompress>(
  Object.entries<Decompress>({
    // Takes several members, and refuses what follows them.
    gzip: whole(zlib.gunzip),
    'x-gzip': whole(zlib.gunzip),
    deflate: (bytes, max) => (isZlib(bytes) ? inflate(bytes, max) : inflateRaw(bytes, max)),
    br: whole(zlib.brotliDecompress),
    zstd: decompressZstd,
  }),
);
const inflate = whole(zlib.inflate);
const inflateRaw = whole(zlib.inflateRaw);

export function isPlain(encoding: string): boolean {
  return encoding === '' || encoding === 'identity';
}

/** `encoding` is the header's value in lower case, trimmed. */
export async function decompress(bytes: Buffer, encoding: string): Promise<Buffer | Problem> {
  const decompressor = DECOMPRESS.get(encoding);
  if (decompressor === undefined) return problem('UNSUPPORTED_ENCODING');
  try {
    return await decompressor(bytes, BODY_BYTES_MAX);
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    return isTooLarge ? problem('PAYLOAD_TOO_LARGE') : problem('MALFORMED_ENCODING');
  }
}

/** HTTP's deflate is the zlib format (RFC 9110), but some clients send raw DEFLATE. */
function isZlib(bytes: Buffer): boolean {
  return bytes.length >= 2 && (bytes[0]! & 0x0f) === 8 && bytes.readUInt16BE(0) % 31 === 0;
}

type Zlib = (
  bytes: Buffer,
  options: { maxOutputLength: number; info: true },
  callback: (error: Error | null, result: Buffer) => void,
) => void;

/** zlib ignores what follows the end of a stream; the engine says how much it has read. */
function whole(zlibCall: unknown): Decompress {
  return (bytes, maxOutputLength) =>
    new Promise((resolve, reject) => {
      const done = (error: Error | null, result: Buffer) => {
        if (error !== null) return reject(error);
        // With `info`, which the types don't know.
        const { buffer, engine } = result as unknown as {
          buffer: Buffer;
          engine: { bytesWritten: number };
        };
        if (engine.bytesWritten === bytes.length) resolve(buffer);
        else reject(new Error('The body has trailing bytes after the compressed stream.'));
      };
      (zlibCall as Zlib)(bytes, { maxOutputLength, info: true }, done);
    });
}

const zstd = whole(zlib.zstdDecompress);

/** zlib reads one frame, and takes one that is cut off for whole. */
async function decompressZstd(bytes: Buffer, maxOutputLength: number): Promise<Buffer> {
  const frames = zstdFrames(bytes);
  if (frames === undefined) throw new Error('A zstd frame is truncated or malformed.');
  const parts: Buffer[] = [];
  let room = maxOutputLength;
  for (const frame of frames) {
    const part = await zstd(frame, room);
    room -= part.length;
    parts.push(part);
  }
  return Buffer.concat(parts);
}
