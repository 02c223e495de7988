// Compression of requests and responses by HTTP's Content-Encoding.

import { pipeline, type Readable, type Transform } from 'node:stream';
import {
  constants,
  createBrotliCompress,
  createBrotliDecompress,
  createDeflate,
  createGunzip,
  createGzip,
  createInflate,
  createZstdCompress,
  createZstdDecompress,
} from 'node:zlib';
import { fromFrames, toFrame } from './lz4/frames.ts';

export type ContentEncoding = 'gzip' | 'deflate' | 'br' | 'zstd' | 'lz4';

/** ClickHouse's order of preference. */
const PREFERENCE: readonly ContentEncoding[] = ['zstd', 'br', 'lz4', 'gzip', 'deflate'];
/** Responses go over the loopback interface, so speed matters more than size. */
const FAST = 1;

/** Undefined: the response is not compressed. */
export function acceptedEncoding(header: string | undefined): ContentEncoding | undefined {
  const accepted = (header ?? '').split(',').flatMap(part => {
    const [name = '', ...parameters] = part.split(';').map(piece => piece.trim().toLowerCase());
    return parameters.some(parameter => /^q=0(\.0*)?$/.test(parameter)) ? [] : [name];
  });
  return PREFERENCE.find(encoding => accepted.includes(encoding));
}

export function compressor(encoding: ContentEncoding): Transform {
  switch (encoding) {
    case 'gzip':
      return createGzip({ level: FAST });
    case 'deflate':
      return createDeflate({ level: FAST });
    case 'br':
      return createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: FAST } });
    case 'zstd':
      return createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: FAST } });
    case 'lz4':
      return toFrame();
  }
}

/** Undefined: an unsupported encoding. */
export function decompressed(body: Readable, encoding: string): AsyncIterable<Buffer> | undefined {
  if (encoding === 'lz4') return fromFrames(body);
  const decompressing = decompressor(encoding);
  // The callback receives the error that also ends the read of the result.
  return decompressing && pipeline(body, decompressing, () => undefined);
}

function decompressor(encoding: string): Transform | undefined {
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      return createInflate();
    case 'br':
      return createBrotliDecompress();
    case 'zstd':
      return createZstdDecompress();
    default:
      return undefined;
  }
}
