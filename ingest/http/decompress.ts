// Undoes a body's Content-Encoding. zlib stops as soon as the limit is passed, so a bomb costs no
// more than an honest body.

import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { type Problem, problem } from '../../schema/values/problem.ts';
import { BODY_BYTES_MAX } from '../limits.ts';

type Decompress = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const DECOMPRESS = new Map<string, Decompress>(
  Object.entries<Decompress>({
    gzip: promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.gunzip),
    'x-gzip': promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.gunzip),
    deflate: (bytes, options) =>
      isZlib(bytes) ? inflate(bytes, options) : inflateRaw(bytes, options),
    br: promisify<Buffer, zlib.BrotliOptions, Buffer>(zlib.brotliDecompress),
    zstd: promisify<Buffer, zlib.ZstdOptions, Buffer>(zlib.zstdDecompress),
  }),
);
const inflate = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.inflate);
const inflateRaw = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.inflateRaw);

export function isPlain(encoding: string): boolean {
  return encoding === '' || encoding === 'identity';
}

/** `encoding` is the header's value in lower case, trimmed. */
export async function decompress(bytes: Buffer, encoding: string): Promise<Buffer | Problem> {
  const decompressor = DECOMPRESS.get(encoding);
  if (decompressor === undefined) return problem('UNSUPPORTED_ENCODING');
  try {
    return await decompressor(bytes, { maxOutputLength: BODY_BYTES_MAX });
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    return isTooLarge ? problem('PAYLOAD_TOO_LARGE') : problem('MALFORMED_ENCODING');
  }
}

/** HTTP's deflate is the zlib format (RFC 9110), but some clients send raw DEFLATE. */
function isZlib(bytes: Buffer): boolean {
  return bytes.length >= 2 && (bytes[0]! & 0x0f) === 8 && bytes.readUInt16BE(0) % 31 === 0;
}
