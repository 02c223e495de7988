// ClickHouse's own compressed blocks, for compress=1 and decompress=1. Each block is a checksum of
// all that follows (16 bytes), a method (1 byte), the size of the block without its checksum and
// the size of its content (4 bytes each), and the compressed content.

import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { byteSource } from '../byte-source.ts';
import { cityHash128 } from '../city-hash.ts';
import { type Exception, exception } from '../exception.ts';
import { NATIVE_BLOCK_BYTES_MAX } from '../limits.ts';
import { compressBlock, decompressBlock } from '../lz4/block.ts';

const CHECKSUM_BYTES = 16;
const HEADER_BYTES = 9;
const PLAIN = 0x02;
const LZ4 = 0x82;
const ZSTD = 0x90;

export type BlockMethod = 'LZ4' | 'ZSTD' | 'NONE';

/** Throws an Exception for a truncated or changed block, and for one that is too large. */
export async function* fromBlocks(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const source = byteSource(chunks);
  while (!(await source.isAtEnd())) {
    const start = await source.take(CHECKSUM_BYTES + HEADER_BYTES);
    if (start === undefined) throw cutOff();
    const size = start.readUInt32LE(CHECKSUM_BYTES + 1);
    const contentSize = start.readUInt32LE(CHECKSUM_BYTES + 5);
    if (size < HEADER_BYTES || size > NATIVE_BLOCK_BYTES_MAX) throw tooLarge(size);
    if (contentSize > NATIVE_BLOCK_BYTES_MAX) throw tooLarge(contentSize);
    const compressed = await source.take(size - HEADER_BYTES);
    if (compressed === undefined) throw cutOff();
    const checksum = start.subarray(0, CHECKSUM_BYTES);
    const header = start.subarray(CHECKSUM_BYTES);
    if (!cityHash128(Buffer.concat([header, compressed])).equals(checksum))
      throw exception('CHECKSUM_DOESNT_MATCH', "Checksum doesn't match: corrupted data");
    const content = contentOf(header[0]!, compressed, contentSize);
    if (content.length !== contentSize) throw invalid();
    yield content;
  }
}

function contentOf(method: number, compressed: Buffer, contentSize: number): Buffer {
  if (method === PLAIN) return compressed;
  if (method !== LZ4 && method !== ZSTD)
    throw exception(
      'UNKNOWN_COMPRESSION_METHOD',
      `Unknown compression method of a block: 0x${method.toString(16)}`,
    );
  try {
    return method === LZ4
      ? decompressBlock(compressed, contentSize)
      : zstdDecompressSync(compressed, { maxOutputLength: contentSize });
  } catch {
    throw invalid();
  }
}

/** `method`: as in the setting network_compression_method. */
export function toBlock(content: Buffer, method: BlockMethod): Buffer {
  const compressed = compressedBy(content, method);
  const block = Buffer.alloc(CHECKSUM_BYTES + HEADER_BYTES + compressed.length);
  block[CHECKSUM_BYTES] = { LZ4, ZSTD, NONE: PLAIN }[method];
  block.writeUInt32LE(HEADER_BYTES + compressed.length, CHECKSUM_BYTES + 1);
  block.writeUInt32LE(content.length, CHECKSUM_BYTES + 5);
  compressed.copy(block, CHECKSUM_BYTES + HEADER_BYTES);
  cityHash128(block.subarray(CHECKSUM_BYTES)).copy(block);
  return block;
}

function compressedBy(content: Buffer, method: BlockMethod): Buffer {
  switch (method) {
    case 'LZ4':
      return compressBlock(content);
    case 'ZSTD':
      return zstdCompressSync(content);
    case 'NONE':
      return content;
  }
}

function cutOff(): Exception {
  return exception('UNEXPECTED_END_OF_FILE', 'The body ended within a compressed block');
}

function tooLarge(size: number): Exception {
  return exception(
    'TOO_LARGE_SIZE_COMPRESSED',
    `A compressed block has ${size} bytes; it is most likely corrupted, or it is larger than the limit of ${NATIVE_BLOCK_BYTES_MAX} bytes`,
  );
}

function invalid(): Exception {
  return exception('CANNOT_DECOMPRESS', 'Cannot decompress a block: corrupted data');
}
