// A flipped bit anywhere in a segment: all other frames are delivered, no data is delivered that
// was not sent, and damaged data is quarantined. A header can be reconstructed, so damage to it
// loses no row.

import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodeFileSystem as fs } from '../../../ingest/spool/file-system.ts';
import { ROWS } from '../../../ingest/spool/frame.ts';
import { readSegment } from '../../../ingest/spool/read-segment.ts';
import { recoverLog } from '../../../ingest/spool/recover.ts';
import { checksumSeed, decodeSegmentHeader } from '../../../ingest/spool/segment-header.ts';
import { SpoolLog } from '../../../ingest/spool/spool-log.ts';
import { EVENTS_RAW } from '../../../schema/rows/events-raw.ts';
import type { Table } from '../../../schema/rows/table.ts';
import { createRandom } from '../../harness/random.ts';
import { newDirectory } from '../../harness/run-directory.ts';
import { scanBytes } from '../../harness/scan-bytes.ts';
import { appendEvent, eventsOf } from './one-event.ts';

const IS_LONG = process.env.TEST_LONG !== undefined;
const BITS = IS_LONG ? 8 : 1;
/** Most of a small segment is its header, so short runs do not test every byte of it. */
const HEADER_STEP = IS_LONG ? 1 : 5;
const EVENTS = ['a', 'b', 'c'];

let root: string;
beforeAll(async () => {
  root = await mkdtemp('/dev/shm/spool-').catch(() => newDirectory('flipped-bits'));
});
afterAll(() => rm(root, { recursive: true }));

/** A sealed segment with three frames, and their positions. */
async function segment(table: Table = EVENTS_RAW) {
  const directory = await mkdtemp(join(root, 'log-'));
  const log = await SpoolLog.open({
    fs,
    clock: { nowMs: () => 0, monotonicMs: () => 0, sleep: () => Promise.resolve() },
    directory,
    tables: [table],
    firstSequence: 1,
    newId: () => '01900000-0000-7000-8000-000000000001',
    onSealed: () => undefined,
    onCommit: () => undefined,
    onFailure: error => {
      throw error;
    },
  });
  for (const event of EVENTS) await appendEvent(log, event, 2025, table);
  await log.close();
  const names = await readdir(directory);
  expect(names).toEqual(['000000000001.segment']);
  const file = await fs.open(join(directory, names[0]!));
  const bytes = await file.read(0, await file.size());
  await file.close();
  const start = decodeSegmentHeader(bytes)!;
  const { frames } = await scanBytes(bytes, start.end, checksumSeed(start.header.id));
  return { name: names[0]!, bytes, headerEnd: start.end, frames };
}

/** Runs recovery and a reader on this file and others, and returns their results. */
async function deliver(name: string, bytes: Buffer, others: Record<string, Buffer> = {}) {
  const directory = join(root, 'found');
  await mkdir(directory);
  for (const [file, content] of Object.entries({ ...others, [name]: bytes }))
    await writeFile(join(directory, file), content);
  const delivered: string[] = [];
  let keptBytes = 0;
  const recovery = await recoverLog({
    fs,
    directory,
    headerBytes: 0,
    readSequence: 0,
    onFailure: () => undefined,
  });
  for (const found of recovery.segments.filter(({ path }) => path.endsWith(name))) {
    const contents = await readSegment(fs, directory, found, damage => {
      keptBytes += damage.bytes;
    });
    if (contents !== undefined) delivered.push(...(await eventsOf(contents)));
  }
  await rm(directory, { recursive: true });
  return { delivered, keptBytes, tornBytes: recovery.tornBytes };
}

it('in any byte', async () => {
  const { name, bytes, headerEnd, frames } = await segment();
  const rows = frames.filter(frame => frame.kind === ROWS);
  expect(rows).toHaveLength(EVENTS.length);
  expect(await deliver(name, bytes)).toEqual({ delivered: EVENTS, keptBytes: 0, tornBytes: 0 });
  const step = (position: number) => (position < headerEnd - HEADER_STEP ? HEADER_STEP : 1);
  for (let position = 0; position < bytes.length; position += step(position))
    for (let bit = 0; bit < BITS; bit++) {
      const damaged = Buffer.from(bytes);
      damaged[position]! ^= 1 << ((position + bit) % 8);
      const { delivered, keptBytes, tornBytes } = await deliver(name, damaged);
      const hit = rows.findIndex(frame => position >= frame.start && position < frame.end);
      const hint = `byte ${position} of ${bytes.length}, bit ${(position + bit) % 8}`;
      if (position < headerEnd) {
        expect({ delivered, keptBytes }, hint).toEqual({ delivered: EVENTS, keptBytes: headerEnd });
      } else if (hit >= 0) {
        expect(delivered, hint).toEqual(EVENTS.filter((_, i) => i !== hit));
        expect(keptBytes, hint).toBe(rows[hit]!.end - rows[hit]!.start);
      } else {
        // The seal was hit. Its content can be recovered by a scan, so no event is lost.
        expect(delivered, hint).toEqual(EVENTS);
        expect(keptBytes + tornBytes, hint).toBe(bytes.length - rows.at(-1)!.end);
      }
    }
});

describe('of a header', () => {
  const seed = Number(process.env.TEST_SEED ?? Date.now() % 1_000_000);
  const random = createRandom(seed);

  it('a changed byte at any position loses nothing', async () => {
    const { name, bytes, headerEnd } = await segment();
    for (let position = random.below(HEADER_STEP); position < headerEnd; position += HEADER_STEP) {
      const damaged = Buffer.from(bytes);
      damaged[position]! ^= 1 + random.below(255);
      const { delivered } = await deliver(name, damaged);
      expect(delivered, `byte ${position}, seed ${seed}`).toEqual(EVENTS);
    }
  });

  it('zeros or noise of any length lose nothing', async () => {
    const { name, bytes, headerEnd } = await segment();
    const stretches = [[0, headerEnd]];
    for (let round = 0; round < (IS_LONG ? 2_000 : 100); round++) {
      const start = random.below(headerEnd);
      stretches.push([start, start + 1 + random.below(headerEnd - start)]);
    }
    for (const [i, [start, end]] of stretches.entries()) {
      const damaged = Buffer.from(bytes);
      for (let pos = start!; pos < end!; pos++) damaged[pos] = i % 2 === 0 ? 0 : random.below(256);
      const { delivered } = await deliver(name, damaged);
      expect(delivered, `bytes ${start} to ${end}, seed ${seed}`).toEqual(EVENTS);
    }
  });

  it('without any header, and with a damaged first frame, the other frames are delivered', async () => {
    const { name, bytes, headerEnd, frames } = await segment();
    const damaged = Buffer.from(bytes).fill(0, 0, headerEnd + 1);
    const { delivered, keptBytes } = await deliver(name, damaged);
    expect(delivered).toEqual(EVENTS.slice(1));
    expect(keptBytes).toBe(headerEnd + frames[0]!.end - frames[0]!.start);
  });

  describe('that names columns that this release no longer has', () => {
    /** An earlier schema, with a column that has since been dropped. */
    const earlier = {
      ...EVENTS_RAW,
      columns: EVENTS_RAW.columns.toSpliced(-2, 0, { name: 'old', type: 'String' }),
    };

    it('one flipped bit loses nothing', async () => {
      const { name, bytes, headerEnd } = await segment(earlier);
      for (let position = 0; position < headerEnd; position += 7) {
        const damaged = Buffer.from(bytes);
        damaged[position]! ^= 1 << random.below(8);
        const { delivered } = await deliver(name, damaged);
        expect(delivered, `byte ${position}, seed ${seed}`).toHaveLength(EVENTS.length);
      }
    });

    it('a complete loss of the header loses nothing next to a segment of the same release', async () => {
      const { name, bytes, headerEnd } = await segment(earlier);
      const damaged = Buffer.from(bytes).fill(0, 0, headerEnd);
      const others = { '000000000002.segment': bytes };
      const { delivered } = await deliver(name, damaged, others);
      expect(delivered).toHaveLength(EVENTS.length);
    });

    it('a complete loss without such a segment: the segment is kept completely, and nothing is guessed', async () => {
      const { name, bytes, headerEnd } = await segment(earlier);
      const damaged = Buffer.from(bytes).fill(0, 0, headerEnd);
      const { delivered, keptBytes } = await deliver(name, damaged);
      expect(delivered).toEqual([]);
      expect(keptBytes).toBe(bytes.length);
    });
  });
});
