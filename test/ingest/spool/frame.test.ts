import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  FRAME_HEADER_BYTES,
  ROWS,
  scanFrames,
  sealFrame,
  writeFrameHeader,
} from '../../../ingest/spool/frame.ts';

const SEED = 7;

function frame(payload: Uint8Array, firstRow: number): Buffer {
  const bytes = Buffer.concat([Buffer.alloc(FRAME_HEADER_BYTES), payload]);
  const header = { kind: ROWS, tableId: 1, partition: 2026, rows: 1, firstRow } as const;
  writeFrameHeader(bytes, header, SEED);
  return bytes;
}

const payloads = fc.array(fc.uint8Array({ maxLength: 60 }), { minLength: 1, maxLength: 6 });

it('finds the frames that were written, and nothing in another segment', () => {
  fc.assert(
    fc.property(payloads, list => {
      const bytes = Buffer.concat([...list.map(frame), sealFrame(SEED)]);
      const scan = scanFrames(bytes, 0, SEED);
      expect(scan.damages).toEqual([]);
      expect(scan.end).toBe(bytes.length);
      expect(
        scan.frames.slice(0, -1).map(found => [...bytes.subarray(found.payloadStart, found.end)]),
      ).toEqual(list.map(payload => [...payload]));
      expect(scanFrames(bytes, 0, SEED + 1).frames).toEqual([]);
    }),
  );
});

it('takes no frame with a flipped bit, and every frame beside it', () => {
  fc.assert(
    fc.property(payloads, fc.nat(), fc.nat(7), (list, where, bit) => {
      const frames = list.map(frame);
      const bytes = Buffer.concat([...frames, sealFrame(SEED)]);
      const at = where % (bytes.length - FRAME_HEADER_BYTES);
      bytes[at]! ^= 1 << bit;
      let end = 0;
      const hit = frames.findIndex(one => {
        end += one.length;
        return at < end;
      });
      const found = scanFrames(bytes, 0, SEED).frames.filter(one => one.kind === ROWS);
      expect(found.map(one => one.firstRow)).toEqual(
        frames.map((_, i) => i).filter(i => i !== hit),
      );
    }),
    { numRuns: 500 },
  );
});

it('ends before a torn tail, wherever it was torn', () => {
  const whole = frame(Buffer.from('whole'), 0);
  const torn = frame(Buffer.from('torn apart'), 1);
  for (let kept = 0; kept < torn.length; kept++) {
    for (const rest of [0, torn.length - kept]) {
      const bytes = Buffer.concat([whole, torn.subarray(0, kept), Buffer.alloc(rest)]);
      const scan = scanFrames(bytes, 0, SEED);
      expect(scan.frames.length).toBe(1);
      expect(scan.end).toBe(whole.length);
      expect(scan.damages).toEqual([]);
    }
  }
});
