// The results of scanning a segment file, for any read size.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  FRAME_HEADER_BYTES,
  ROWS,
  sealFrame,
  writeFrameHeader,
} from '../../../ingest/spool/frame.ts';
import { scanBytes } from '../../harness/scan-bytes.ts';

const SEED = 7;

function frame(payload: Uint8Array, firstRow: number): Buffer {
  const bytes = Buffer.concat([Buffer.alloc(FRAME_HEADER_BYTES), payload]);
  const header = { kind: ROWS, tableId: 1, partition: 2026, rows: 1, firstRow } as const;
  writeFrameHeader(bytes, header, SEED);
  return bytes;
}

const payloads = fc.array(fc.uint8Array({ maxLength: 60 }), { minLength: 1, maxLength: 6 });
/** From slightly more than a header to more than the whole file. */
const pieceBytes = fc.integer({ min: FRAME_HEADER_BYTES, max: 500 });

it('finds the written frames, and none in another segment', async () => {
  await fc.assert(
    fc.asyncProperty(payloads, pieceBytes, async (list, piece) => {
      const bytes = Buffer.concat([...list.map(frame), sealFrame(SEED)]);
      const scan = await scanBytes(bytes, 0, SEED, piece);
      expect(scan.damages).toEqual([]);
      expect(scan.end).toBe(bytes.length);
      expect(
        scan.frames.slice(0, -1).map(found => [...bytes.subarray(found.payloadStart, found.end)]),
      ).toEqual(list.map(payload => [...payload]));
      expect((await scanBytes(bytes, 0, SEED + 1, piece)).frames).toEqual([]);
    }),
  );
});

it('rejects a frame with a flipped bit, and finds every other frame', async () => {
  await fc.assert(
    fc.asyncProperty(payloads, pieceBytes, fc.nat(), fc.nat(7), async (list, piece, where, bit) => {
      const frames = list.map(frame);
      const bytes = Buffer.concat([...frames, sealFrame(SEED)]);
      const at = where % (bytes.length - FRAME_HEADER_BYTES);
      bytes[at]! ^= 1 << bit;
      let end = 0;
      const hit = frames.findIndex(one => {
        end += one.length;
        return at < end;
      });
      const scan = await scanBytes(bytes, 0, SEED, piece);
      const found = scan.frames.filter(one => one.kind === ROWS);
      expect(found.map(one => one.firstRow)).toEqual(
        frames.map((_, i) => i).filter(i => i !== hit),
      );
      expect(scan.damages).toEqual([{ start: end - frames[hit]!.length, end }]);
    }),
    { numRuns: 500 },
  );
});

it('finds frames after bytes that only look like a frame', async () => {
  const magics = fc.array(
    fc.constantFrom(Buffer.from('FRM1'), Buffer.from('FR'), Buffer.alloc(9)),
    {
      minLength: 1,
      maxLength: 20,
    },
  );
  await fc.assert(
    fc.asyncProperty(magics, pieceBytes, fc.nat(200), async (parts, piece, claimed) => {
      const noise = Buffer.concat(parts);
      // A header whose claimed payload overlaps the next frame.
      if (noise.length >= FRAME_HEADER_BYTES) noise.writeUInt32LE(claimed, 16);
      const whole = frame(Buffer.from('whole'), 3);
      const bytes = Buffer.concat([noise, whole, sealFrame(SEED)]);
      const scan = await scanBytes(bytes, 0, SEED, piece);
      expect(scan.frames.map(one => one.start)).toEqual([
        noise.length,
        noise.length + whole.length,
      ]);
      expect(scan.damages).toEqual([{ start: 0, end: noise.length }]);
    }),
    { numRuns: 300 },
  );
});

it('ends before a torn tail, regardless of its position', async () => {
  const whole = frame(Buffer.from('whole'), 0);
  const torn = frame(Buffer.from('torn apart'), 1);
  for (let kept = 0; kept < torn.length; kept++) {
    for (const rest of [0, torn.length - kept]) {
      const bytes = Buffer.concat([whole, torn.subarray(0, kept), Buffer.alloc(rest)]);
      for (const piece of [FRAME_HEADER_BYTES, 40, 1_000]) {
        const scan = await scanBytes(bytes, 0, SEED, piece);
        expect(scan.frames.length).toBe(1);
        expect(scan.end).toBe(whole.length);
        expect(scan.damages).toEqual([]);
      }
    }
  }
});
