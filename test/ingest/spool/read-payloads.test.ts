// The bytes delivered from a segment equal its frames, for any read size. Changed data is never
// delivered completely.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type FileSystem, nodeFileSystem as fs } from '../../../ingest/spool/file-system.ts';
import {
  CHECKSUM_AT,
  FRAME_HEADER_BYTES,
  ROWS,
  writeFrameHeader,
} from '../../../ingest/spool/frame.ts';
import { readPayloads, SegmentReadFailure, wholeOf } from '../../../ingest/spool/read-payloads.ts';
import { newDirectory } from '../../harness/run-directory.ts';
import { scanBytes } from '../../harness/scan-bytes.ts';

const SEED = 11;
const path = join(await newDirectory('payloads'), 'segment');

function frame(payload: Uint8Array, partition: number): Buffer {
  const bytes = Buffer.concat([Buffer.alloc(FRAME_HEADER_BYTES), payload]);
  const header = { kind: ROWS, tableId: 1, partition, rows: 1, firstRow: 0 } as const;
  writeFrameHeader(bytes, header, SEED);
  return bytes;
}

const payloads = fc.array(fc.uint8Array({ maxLength: 90 }), { minLength: 1, maxLength: 12 });
const pieceBytes = fc.integer({ min: 1, max: 400 });

/** Frames alternate between two partitions; a block has those of one. */
async function write(list: readonly Uint8Array[]) {
  const bytes = Buffer.concat(list.map((payload, i) => frame(payload, i % 2)));
  await writeFile(path, bytes);
  const { frames } = await scanBytes(bytes, 0, SEED);
  expect(frames).toHaveLength(list.length);
  return { bytes, frames };
}

it('returns the payloads of the requested frames', async () => {
  await fc.assert(
    fc.asyncProperty(
      payloads,
      pieceBytes,
      fc.constantFrom<number[]>([0], [1], [0, 1]),
      async (...drawn) => {
        const [list, piece, partitions] = drawn;
        const { frames } = await write(list);
        const wanted = frames.filter(({ partition }) => partitions.includes(partition));
        const expected = Buffer.concat(list.filter((_, i) => partitions.includes(i % 2)));
        const read = await wholeOf(readPayloads(fs, path, wanted, SEED, piece));
        expect(read.equals(expected)).toBe(true);
      },
    ),
    { numRuns: 200 },
  );
});

it('fails if the file has changed since it was verified', async () => {
  await fc.assert(
    fc.asyncProperty(payloads, pieceBytes, fc.nat(), fc.nat(7), async (list, piece, at, bit) => {
      const { bytes, frames } = await write(list);
      const position = at % bytes.length;
      const changed = Buffer.from(bytes);
      changed[position]! ^= 1 << bit;
      await writeFile(path, changed);
      const reading = wholeOf(readPayloads(fs, path, frames, SEED, piece));
      // The checksum itself is already in memory and is not read again.
      const isKnown = frames.some(
        ({ start, payloadStart }) => position >= start + CHECKSUM_AT && position < payloadStart,
      );
      if (isKnown) expect((await reading).equals(Buffer.concat(list))).toBe(true);
      else await expect(reading).rejects.toThrow(SegmentReadFailure);
    }),
    { numRuns: 200 },
  );
});

it('reports which call failed, and leaves no file open', async () => {
  const { bytes, frames } = await write([new Uint8Array(100), new Uint8Array(100)]);
  await writeFile(path, bytes.subarray(0, 150));
  await expect(wholeOf(readPayloads(fs, path, frames, SEED, 64))).rejects.toThrow('ends before');
  const gone = wholeOf(readPayloads(fs, `${path}.gone`, frames, SEED));
  await expect(gone).rejects.toMatchObject({ code: 'ENOENT' });
});

it('closes its file when the rest is not needed, but never during a read', async () => {
  const { frames } = await write([new Uint8Array(1_000), new Uint8Array(1_000)]);
  const calls: string[] = [];
  for await (const _ of readPayloads(watched(calls), path, frames, SEED, 100)) break;
  expect(calls).toEqual(['read', 'read done', 'read', 'read done', 'close']);
});

/** Records when reads start and end. */
function watched(calls: string[]): FileSystem {
  return {
    ...fs,
    open: async name => {
      const file = await fs.open(name);
      return {
        ...file,
        read: async (...where) => {
          calls.push('read');
          const bytes = await file.read(...where);
          calls.push('read done');
          return bytes;
        },
        close: async () => {
          calls.push('close');
          await file.close();
        },
      };
    },
  };
}
