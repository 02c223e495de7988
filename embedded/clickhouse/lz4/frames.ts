// LZ4 frames, as in `Content-Encoding: lz4`.
// https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md

import { Transform } from 'node:stream';
import { type ByteSource, byteSource } from '../byte-source.ts';
import { type Exception, exception } from '../exception.ts';
import { compressBlock, decompressBlock } from './block.ts';
import { Xxh32, xxh32 } from './xxh32.ts';

const MAGIC = 0x184d2204;
const SKIPPABLE_MAGIC = 0x184d2a50;
const VERSION = 0b01;
/** Flags of a block's size: its content is not compressed. */
const IS_PLAIN = 0x80000000;
/** A block of a linked frame may refer to this much content before it. */
const WINDOW_BYTES = 64 * 1024;
/** Sizes of blocks by their number in the header. */
const BLOCK_BYTES_MAX: ReadonlyMap<number, number> = new Map([
  [4, 64 * 1024],
  [5, 256 * 1024],
  [6, 1024 * 1024],
  [7, 4 * 1024 * 1024],
]);
/** For the frames written here: number 6 of the list above. */
const WRITTEN_BLOCK_BYTES = 1024 * 1024;

type Header = {
  readonly isLinked: boolean;
  readonly hasBlockChecksums: boolean;
  readonly hasContentChecksum: boolean;
  readonly blockBytesMax: number;
};

/** Yields the content of all frames. Throws an Exception for anything that is not a whole frame. */
export async function* fromFrames(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const source = byteSource(chunks);
  while (!(await source.isAtEnd())) {
    const magic = (await needed(source, 4)).readUInt32LE();
    if ((magic & 0xfffffff0) >>> 0 === SKIPPABLE_MAGIC) await skip(source);
    else if (magic === MAGIC) yield* contentOf(source, await readHeader(source));
    else throw broken('it does not begin with a frame');
  }
}

async function* contentOf(source: ByteSource, header: Header): AsyncGenerator<Buffer> {
  const checksum = new Xxh32();
  let before: Buffer = Buffer.alloc(0);
  for (;;) {
    const word = (await needed(source, 4)).readUInt32LE();
    if (word === 0) break;
    const isPlain = word >= IS_PLAIN;
    const size = isPlain ? word - IS_PLAIN : word;
    if (size > header.blockBytesMax) throw broken('a block is larger than its frame allows');
    const block = await needed(source, size);
    if (header.hasBlockChecksums && (await needed(source, 4)).readUInt32LE() !== xxh32(block))
      throw broken('the checksum of a block is wrong');
    const content = isPlain ? block : decompressed(block, header.blockBytesMax, before);
    if (header.hasContentChecksum) checksum.update(content);
    if (header.isLinked) before = windowOf(before, content);
    yield content;
  }
  if (!header.hasContentChecksum) return;
  if ((await needed(source, 4)).readUInt32LE() !== checksum.digest())
    throw broken('the checksum of the content is wrong');
}

async function readHeader(source: ByteSource): Promise<Header> {
  const start = await needed(source, 2);
  const flags = start[0]!;
  const isSet = (bit: number) => ((flags >> bit) & 1) === 1;
  const blockBytesMax = BLOCK_BYTES_MAX.get((start[1]! >> 4) & 0b111);
  if (flags >> 6 !== VERSION || blockBytesMax === undefined)
    throw broken('the header of a frame is not valid');
  if (isSet(0)) throw broken('frames with a dictionary are not supported');
  const contentSize = isSet(3) ? await needed(source, 8) : Buffer.alloc(0);
  const checksum = (await needed(source, 1))[0];
  if (((xxh32(Buffer.concat([start, contentSize])) >>> 8) & 0xff) !== checksum)
    throw broken('the checksum of a header is wrong');
  return {
    isLinked: !isSet(5),
    hasBlockChecksums: isSet(4),
    hasContentChecksum: isSet(2),
    blockBytesMax,
  };
}

function decompressed(block: Buffer, bytesMax: number, before: Buffer): Buffer {
  try {
    return decompressBlock(block, bytesMax, before);
  } catch {
    throw broken('a block is not valid');
  }
}

function windowOf(before: Buffer, content: Buffer): Buffer {
  if (content.length >= WINDOW_BYTES) return content.subarray(-WINDOW_BYTES);
  return Buffer.concat([before, content]).subarray(-WINDOW_BYTES);
}

async function skip(source: ByteSource): Promise<void> {
  let left = (await needed(source, 4)).readUInt32LE();
  for (; left > 0; left -= Math.min(left, WINDOW_BYTES))
    await needed(source, Math.min(left, WINDOW_BYTES));
}

async function needed(source: ByteSource, count: number): Promise<Buffer> {
  const bytes = await source.take(count);
  if (bytes === undefined) throw broken('it ends within a frame');
  return bytes;
}

function broken(reason: string): Exception {
  return exception('INCORRECT_DATA', `The body cannot be decompressed from LZ4: ${reason}`);
}

/** Independent blocks without checksums: TCP has its own. */
export function toFrame(): Transform {
  let isStarted = false;
  const start = (stream: Transform) => {
    if (!isStarted) stream.push(frameHeader());
    isStarted = true;
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      start(this);
      for (let at = 0; at < chunk.length; at += WRITTEN_BLOCK_BYTES)
        this.push(writtenBlock(chunk.subarray(at, at + WRITTEN_BLOCK_BYTES)));
      done();
    },
    flush(done) {
      start(this);
      this.push(Buffer.alloc(4));
      done();
    },
  });
}

function frameHeader(): Buffer {
  const header = Buffer.alloc(7);
  header.writeUInt32LE(MAGIC);
  header[4] = (VERSION << 6) | (1 << 5);
  header[5] = 6 << 4;
  header[6] = (xxh32(header.subarray(4, 6)) >>> 8) & 0xff;
  return header;
}

function writtenBlock(content: Buffer): Buffer {
  const compressed = compressBlock(content);
  const isPlain = compressed.length >= content.length;
  const block = isPlain ? content : compressed;
  const size = Buffer.alloc(4);
  size.writeUInt32LE(block.length + (isPlain ? IS_PLAIN : 0));
  return Buffer.concat([size, block]);
}
