// One LZ4 block without any header. The library writes and expects the size of the content in the
// four bytes before it, which neither ClickHouse's blocks nor LZ4 frames contain.

import { compressSync, uncompressSync } from 'lz4-napi';

const SIZE_BYTES = 4;

export function compressBlock(content: Buffer): Buffer {
  return compressSync(content).subarray(SIZE_BYTES);
}

/**
 * `contentBytesMax` is allocated; the content may be shorter. `before` is the content that the
 * block may refer to. Throws if the block is not valid.
 */
export function decompressBlock(block: Buffer, contentBytesMax: number, before?: Buffer): Buffer {
  const sized = Buffer.allocUnsafe(SIZE_BYTES + block.length);
  sized.writeUInt32LE(contentBytesMax);
  block.copy(sized, SIZE_BYTES);
  return before === undefined || before.length === 0
    ? uncompressSync(sized)
    : uncompressSync(sized, before);
}
