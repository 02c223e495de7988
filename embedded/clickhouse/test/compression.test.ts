// ClickHouse's own compressed blocks and LZ4 frames, compared with bytes written by other programs.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import asc from 'assemblyscript/asc';
import { describe, expect, test } from 'vitest';
import { cityHash128 } from '../city-hash.ts';
import { NATIVE_BLOCK_BYTES_MAX } from '../limits.ts';
import { fromFrames, toFrame } from '../lz4/frames.ts';
import { xxh32 } from '../lz4/xxh32.ts';
import { type BlockMethod, fromBlocks, toBlock } from '../native-blocks/blocks.ts';
import { freshDatabase } from './database.ts';

const METHODS: readonly BlockMethod[] = ['LZ4', 'ZSTD', 'NONE'];
const STATEMENT = `SELECT ${'1 + '.repeat(20)}1`;
/** The statement as compressed by ch-go 0.74. */
const BLOCKS: Readonly<Record<BlockMethod, string>> = {
  LZ4: '80a245905fb8c348c556313cd149fa19822900000058000000af53454c4543542031202b040029003c00e02031202b2031202b2031202b2031',
  ZSTD: '73b6af8918cf6c1f4908b8c25abcb6d390270000005800000028b52ffd04008d00005053454c4543542031202b01540a02287b1ec38916',
  NONE: `95c71e852e42851825f94e2f2a40d2000261000000580000005345${Buffer.from(STATEMENT.slice(2)).toString('hex')}`,
};
/**
 * Written by python-lz4 4.4: two linked blocks, each with a checksum, and a checksum of the
 * content.
 */
const FRAME =
  '04224d185c4058000000000000004314000000af53454c4543542031202b040010502b2031202bb6ae30090a0000000f2c000e5031202b20315763cd1700000000fe66deed';

async function all(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts);
}

function inPieces(bytes: Buffer, size: number): AsyncIterable<Buffer> {
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size));
  return Readable.from(pieces);
}

/** Bytes that do not compress well, the same in every run. */
function someBytes(count: number): Buffer {
  const bytes = Buffer.alloc(count);
  let state = 1;
  for (let index = 0; index < count; index += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[index] = state >>> 24;
  }
  return bytes;
}

describe('checksums', () => {
  // Computed by go-faster/city 1.0.1 on the first bytes of someBytes(), for each branch of the
  // algorithm.
  test.each([
    [0, '2b9ac064fc9df03d291ee592c340b53c'],
    [3, '503c47e78c118b37928ffa36ed0e3cb7'],
    [7, 'ca5edc39d5ebc44253a2ddd41fb7d7e9'],
    [12, 'ccaaa4a8ee7f34e068f39cfbefaf2d04'],
    [16, '80be769599a690a3d38ad76bce784a91'],
    [17, 'c09101a08e2c850b2176b2c84e1226ac'],
    [127, '84e3d3ee0bc9d9174a1ed63e5347fbdb'],
    [128, '36f051c1afed7da00fa9f43614896344'],
    [144, '3909e4141eeedb32b886a40ac6a81f5d'],
    [300, '212e8a68068964a90c0c98f18699284d'],
    [679, '26a8c341372583c6de4afc247898e43f'],
    [4947, 'ce9a0261b1862bacdd5411f6d0149924'],
  ])('CityHash128 of %i bytes', (count, digest) => {
    expect(cityHash128(someBytes(count)).toString('hex')).toBe(digest);
  });

  test('XXH32 matches the reference test vectors', () => {
    expect(xxh32(Buffer.from('')).toString(16)).toBe('2cc5d05');
    expect(xxh32(Buffer.from('Nobody inspects the spammish repetition')).toString(16)).toBe(
      'e2293b2f',
    );
  });

  test('module.wasm is up to date with its source', async () => {
    const source = join(import.meta.dirname, '../city-hash');
    const directory = await mkdtemp(join(tmpdir(), 'city-hash-'));
    try {
      const compiled = join(directory, 'module.wasm');
      const config = join(source, 'asconfig.json');
      const { error } = await asc.main(['--config', config, '--outFile', compiled]);
      expect(error).toBeNull();
      const committed = await readFile(join(source, 'module.wasm'));
      expect((await readFile(compiled)).equals(committed)).toBe(true);
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  });
});

describe('compressed blocks', () => {
  test.each(METHODS)('%s of another program, in pieces of any size', async method => {
    const bytes = Buffer.from(BLOCKS[method], 'hex');
    for (const size of [1, 7, 1000])
      expect((await all(fromBlocks(inPieces(bytes, size)))).toString()).toBe(STATEMENT);
  });

  test.each(METHODS)('%s: data is unchanged after compression and decompression', async method => {
    const contents = [Buffer.from(STATEMENT), someBytes(300_000), Buffer.alloc(2_000_000, 'ab')];
    const bytes = Buffer.concat(contents.map(content => toBlock(content, method)));
    expect((await all(fromBlocks(inPieces(bytes, 10_000)))).equals(Buffer.concat(contents))).toBe(
      true,
    );
  });

  test('a change of any byte is detected', async () => {
    const whole = Buffer.from(BLOCKS.LZ4, 'hex');
    for (let index = 0; index < whole.length; index += 1) {
      const bytes = Buffer.from(whole);
      bytes[index]! ^= 1;
      await expect(all(fromBlocks(inPieces(bytes, 1000)))).rejects.toMatchObject({
        codeName: expect.stringMatching(/CHECKSUM_DOESNT_MATCH|UNEXPECTED_END_OF_FILE|TOO_LARGE/),
      });
    }
  });

  test.each([
    ['cut off', (block: Buffer) => block.subarray(0, -1), 'UNEXPECTED_END_OF_FILE'],
    ['a huge block', withSize(17, NATIVE_BLOCK_BYTES_MAX + 1), 'TOO_LARGE_SIZE_COMPRESSED'],
    ['a huge content', withSize(21, NATIVE_BLOCK_BYTES_MAX + 1), 'TOO_LARGE_SIZE_COMPRESSED'],
    ['a longer content than it has', withSize(21, 89), 'CANNOT_DECOMPRESS'],
    ['a shorter content than it has', withSize(21, 40), 'CANNOT_DECOMPRESS'],
    ['an unknown method', withMethod(0x91), 'UNKNOWN_COMPRESSION_METHOD'],
  ])('refused: %s', async (_, change, codeName) => {
    const bytes = change(Buffer.from(BLOCKS.LZ4, 'hex'));
    await expect(all(fromBlocks(inPieces(bytes, 1000)))).rejects.toMatchObject({ codeName });
  });

  test('compress=1 and decompress=1', async () => {
    const { address, name } = await freshDatabase();
    const ask = async (parameters: Record<string, string>, body: Buffer) => {
      const answer = await fetch(address(parameters), {
        method: 'POST',
        body: new Uint8Array(body),
      });
      return Buffer.from(await answer.arrayBuffer());
    };
    for (const method of METHODS) {
      const parameters = { compress: '1', decompress: '1', network_compression_method: method };
      const bytes = await ask(parameters, toBlock(Buffer.from(STATEMENT), method));
      expect((await all(fromBlocks(inPieces(bytes, 1000)))).toString()).toBe('21\n');
    }
    const statement = `CREATE TABLE ${name}.t (a UInt64) ENGINE = MergeTree ORDER BY a`;
    expect((await ask({ decompress: '1' }, toBlock(Buffer.from(statement), 'LZ4'))).length).toBe(0);
    const query = 'INSERT INTO t FORMAT TSV';
    const rows = Array.from({ length: 100_000 }, (_, index) => `${index}\n`).join('');
    const body = toBlock(Buffer.from(rows), 'LZ4');
    expect((await ask({ decompress: '1', query }, body)).toString()).toBe('');
    const changed = Buffer.from(body);
    changed[1000]! ^= 1;
    expect((await ask({ decompress: '1', query }, changed)).toString()).toMatch(/^Code: 40\. /);
    const back = await ask({ compress: '1' }, Buffer.from('SELECT a FROM t ORDER BY a'));
    expect(back.length).toBeLessThan(rows.length);
    expect((await all(fromBlocks(inPieces(back, 4000)))).toString()).toBe(rows);
  });
});

function withSize(at: number, size: number): (block: Buffer) => Buffer {
  return block => {
    block.writeUInt32LE(size, at);
    return rehashed(block);
  };
}

function withMethod(method: number): (block: Buffer) => Buffer {
  return block => {
    block[16] = method;
    return rehashed(block);
  };
}

function rehashed(block: Buffer): Buffer {
  cityHash128(block.subarray(16)).copy(block);
  return block;
}

describe('LZ4 frames', () => {
  test('of another program, in pieces of any size, and several', async () => {
    const frame = Buffer.from(FRAME, 'hex');
    for (const size of [1, 7, 1000])
      expect((await all(fromFrames(inPieces(frame, size)))).toString()).toBe(STATEMENT);
    const two = Buffer.concat([frame, frame]);
    expect((await all(fromFrames(inPieces(two, 1000)))).toString()).toBe(STATEMENT + STATEMENT);
  });

  test('a change of any byte is detected', async () => {
    const whole = Buffer.from(FRAME, 'hex');
    for (let index = 0; index < whole.length; index += 1) {
      const bytes = Buffer.from(whole);
      bytes[index]! ^= 1;
      await expect(all(fromFrames(inPieces(bytes, 1000)))).rejects.toMatchObject({
        codeName: 'INCORRECT_DATA',
      });
    }
    for (let length = 1; length < whole.length; length += 1)
      await expect(all(fromFrames(inPieces(whole.subarray(0, length), 9)))).rejects.toThrow();
  });

  test('data is unchanged after compression and decompression, also incompressible data', async () => {
    for (const content of [Buffer.alloc(0), someBytes(3_000_000), Buffer.alloc(5_000_000, 'ab')]) {
      const frame = await all(Readable.from([content]).pipe(toFrame()));
      expect((await all(fromFrames(inPieces(frame, 50_000)))).equals(content)).toBe(true);
    }
  });

  test('as Content-Encoding of request and response', async () => {
    const { address } = await freshDatabase();
    const answer = await fetch(address({ enable_http_compression: '1' }), {
      method: 'POST',
      headers: { 'content-encoding': 'lz4', 'accept-encoding': 'lz4' },
      body: new Uint8Array(Buffer.from(FRAME, 'hex')),
    });
    expect(answer.headers.get('content-encoding')).toBe('lz4');
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect((await all(fromFrames(inPieces(bytes, 5)))).toString()).toBe('21\n');
  });
});
