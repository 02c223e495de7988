// Decodes the Content-Encoding of a whole body. A truncated body and a body with trailing bytes are
// rejected. zlib stops as soon as the size limit is exceeded, so a decompression bomb costs no more
// than a valid body.

import * as zlib from 'node:zlib';
import { type Problem, problem } from '../../schema/values/problem.ts';
import { BODY_BYTES_MAX } from '../limits.ts';
import { zstdFrames } from './zstd-frames.ts';

/** Throws if the body is damaged, truncated or has trailing bytes. */
type Decompress = (bytes: Buffer, maxOutputLength: number) => Promise<Buffer>;

const DECOMPRESS = new Map<string, Decompress>(
  Object.entries<Decompress>({
    // Accepts several members and rejects trailing bytes.
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

/** `encoding` is the header's value, trimmed and in lower case. */
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

/** zlib ignores bytes after the end of a stream; the engine returns how many bytes it read. */
function whole(zlibCall: unknown): Decompress {
  return (bytes, maxOutputLength) =>
    new Promise((resolve, reject) => {
      const done = (error: Error | null, result: Buffer) => {
        if (error !== null) return reject(error);
        // The types lack the result of the `info` option.
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

/** zlib reads only one frame and accepts a truncated one. */
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
