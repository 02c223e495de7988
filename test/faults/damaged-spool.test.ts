// Disks flip bits, lose the ends of files and return zeros. Damaged data is quarantined and
// counted; all other data is delivered; no data is delivered that was not sent.

import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EACH_ONCE, tally } from '../harness/copies.ts';
import { eventually } from '../harness/eventually.ts';
import { metrics, sumOf } from '../harness/metrics.ts';
import { useClickHouse } from '../harness/own-clickhouse.ts';
import { createRandom } from '../harness/random.ts';
import { openScene, type Scene, type TestHooks } from './scene.ts';
import {
  append,
  cutAt,
  fillWithZeros,
  flipBit,
  logDirectory,
  readSegments,
  type SegmentFile,
  segmentPaths,
} from './spool-files.ts';

const IS_LONG = process.env.TEST_LONG !== undefined;
const FRAMES = 4;
const EVENTS_PER_FRAME = 5;

const clickhouse = useClickHouse();

type Full = {
  readonly scene: Scene;
  readonly directory: string;
  readonly segments: readonly SegmentFile[];
  /** Message IDs by segment and frame. */
  readonly ids: readonly (readonly string[])[][];
};

const ATTEMPTS_MAX = 10;

/**
 * Creates a spool with this number of segments, one frame per batch; all but the last are sealed.
 */
async function fillSpool(test: TestHooks, count: number): Promise<Full> {
  for (let attempt = 1; ; attempt++) {
    const full = await tryToFillSpool(test, count);
    const { segments } = full;
    const isAsPlanned =
      segments.length === count &&
      segments.every((segment, i) => {
        return segment.frames.length === FRAMES && segment.isSealed === i < count - 1;
      });
    if (isAsPlanned) return full;
    // Segments are also sealed by age. On a busy machine that may happen between two batches.
    if (attempt === ATTEMPTS_MAX) throw new Error('the batches never fell as planned');
  }
}

async function tryToFillSpool(test: TestHooks, count: number): Promise<Full> {
  const scene = await openScene(test, clickhouse().url);
  const directory = logDirectory(scene.ingest);
  scene.proxy.refuseConnections(true);
  const ids: string[][][] = [];
  for (let segment = 0; segment < count; segment++) {
    const files = (await segmentPaths(directory)).length;
    const frames: string[][] = [];
    for (let frame = 0; frame < FRAMES; frame++)
      frames.push(
        await scene.send(EVENTS_PER_FRAME, i => ({ properties: `{"frame": ${frame}, "i": ${i}}` })),
      );
    ids.push(frames);
    if (segment < count - 1)
      await eventually(
        async () => expect((await segmentPaths(directory)).length).toBeGreaterThan(files),
        { intervalMs: 20 },
      );
  }
  await scene.ingest.kill9();
  return { scene, directory, segments: await readSegments(directory), ids };
}

async function deliver({ scene }: Full): Promise<void> {
  await scene.restart();
  scene.proxy.refuseConnections(false);
  await scene.settled();
  expect(scene.ingest.isRunning()).toBe(true);
}

async function expectAllBut({ scene, ids }: Full, lost: readonly string[]): Promise<void> {
  const { workspaceId } = scene.tenant;
  const kept = ids.flat(2).filter(id => !lost.includes(id));
  expect(await tally(clickhouse(), 'events_raw', workspaceId, kept)).toEqual(EACH_ONCE);
  const stored = await clickhouse().rows<{ message_id: string; properties: string }>(
    'SELECT message_id, properties FROM events WHERE workspace_id = {workspaceId:UUID}',
    { workspaceId },
  );
  const properties = new Map(stored.map(row => [row.message_id, row.properties]));
  for (const segment of ids)
    for (const [frame, frameIds] of segment.entries())
      for (const [i, id] of frameIds.entries())
        if (!lost.includes(id)) expect(properties.get(id)).toBe(`{"frame": ${frame}, "i": ${i}}`);
}

/** Damaged bytes are kept for inspection. Torn bytes are not: they were never acknowledged. */
async function expectCounted(
  { scene, directory }: Full,
  expected: { damaged: number[]; torn: number },
): Promise<void> {
  const samples = await metrics(scene.ingest);
  expect(sumOf(samples, /^ingest_spool_torn_bytes_total$/)).toBe(expected.torn);
  const damaged = expected.damaged.reduce((sum, bytes) => sum + bytes, 0);
  expect(sumOf(samples, /^ingest_spool_damaged_bytes_total$/)).toBe(damaged);
  const folder = join(directory, 'quarantine');
  const names = await readdir(folder).catch(() => []);
  const kept = await Promise.all(names.map(name => readFile(join(folder, name))));
  const ascending = (a: number, b: number) => a - b;
  expect(kept.map(bytes => bytes.length).sort(ascending)).toEqual(expected.damaged.sort(ascending));
}

test.concurrent('bit flips in frames and their headers: those frames are quarantined', async test => {
  const full = await fillSpool(test, 3);
  const { segments, ids } = full;
  const [inPayload, inHeader, unsealed] = segments as [SegmentFile, SegmentFile, SegmentFile];
  await flipBit(inPayload, inPayload.frames[1]!.payloadStart + 40);
  // Damages the payload length, so the next frame can only be found by its magic bytes.
  await flipBit(inHeader, inHeader.frames[0]!.start + 17);
  await flipBit(unsealed, unsealed.frames[2]!.end - 1);
  await deliver(full);
  await expectAllBut(full, [...ids[0]![1]!, ...ids[1]![0]!, ...ids[2]![2]!]);
  const damaged = [inPayload.frames[1]!, inHeader.frames[0]!, unsealed.frames[2]!];
  const bytes = damaged.map(frame => frame.end - frame.start);
  await expectCounted(full, { damaged: bytes, torn: 0 });
});

test.concurrent('zeros over parts of two frames: both are quarantined', async test => {
  const full = await fillSpool(test, 2);
  const [sealed] = full.segments as [SegmentFile];
  const { start, end } = { start: sealed.frames[1]!.end - 10, end: sealed.frames[2]!.end - 10 };
  await fillWithZeros(sealed, start, end);
  await deliver(full);
  await expectAllBut(full, [...full.ids[0]![1]!, ...full.ids[0]![2]!]);
  const bytes = sealed.frames[2]!.end - sealed.frames[1]!.start;
  await expectCounted(full, { damaged: [bytes], torn: 0 });
});

test.concurrent('damaged segment headers, even of only zeros, lose no event', async test => {
  const full = await fillSpool(test, 3);
  const [sealed, , unsealed] = full.segments as [SegmentFile, SegmentFile, SegmentFile];
  await flipBit(sealed, 30);
  await fillWithZeros(unsealed, 0, unsealed.headerEnd);
  await deliver(full);
  await expectAllBut(full, []);
  // The damage is reported, but nothing is quarantined.
  const samples = await metrics(full.scene.ingest);
  const damaged = sumOf(samples, /^ingest_spool_damaged_bytes_total$/);
  expect(damaged).toBeGreaterThanOrEqual(sealed.headerEnd + unsealed.headerEnd);
  expect(await readdir(join(full.directory, 'quarantine')).catch(() => [])).toEqual([]);
});

test.concurrent('truncated segments: intact frames are delivered, and the rest is counted, and quarantined if the segment was sealed', async test => {
  const full = await fillSpool(test, 2);
  const [sealed, unsealed] = full.segments as [SegmentFile, SegmentFile];
  await cutAt(sealed, sealed.frames[3]!.end - 7);
  await cutAt(unsealed, unsealed.frames[2]!.payloadStart + 3);
  await deliver(full);
  await expectAllBut(full, [...full.ids[0]![3]!, ...full.ids[1]![2]!, ...full.ids[1]![3]!]);
  const sealedTorn = sealed.frames[3]!.end - 7 - sealed.frames[3]!.start;
  const unsealedTorn = unsealed.frames[2]!.payloadStart + 3 - unsealed.frames[2]!.start;
  await expectCounted(full, { damaged: [sealedTorn], torn: unsealedTorn });
  const samples = await metrics(full.scene.ingest);
  expect(sumOf(samples, /^ingest_spool_endless_segments_total$/)).toBe(1);
});

test.concurrent('a write torn by a crash: half a frame and zeros after intact ones', async test => {
  const full = await fillSpool(test, 2);
  const [sealed, unsealed] = full.segments as [SegmentFile, SegmentFile];
  const { start, end } = sealed.frames[0]!;
  // A complete frame of another segment. Its checksum must not be valid in this one.
  const foreign = sealed.bytes.subarray(start, end);
  const tail = Buffer.concat([foreign, foreign.subarray(0, 100), Buffer.alloc(4_096)]);
  await append(unsealed, tail);
  await deliver(full);
  await expectAllBut(full, []);
  await expectCounted(full, { damaged: [], torn: tail.length });
});

test.concurrent('a segment of only zeros is quarantined, not deleted', async test => {
  const full = await fillSpool(test, 2);
  const [sealed] = full.segments as [SegmentFile];
  await fillWithZeros(sealed, 0, sealed.bytes.length);
  await deliver(full);
  await expectAllBut(full, full.ids[0]!.flat());
  await expectCounted(full, { damaged: [sealed.bytes.length], torn: 0 });
});

test.concurrent('damaged or missing cursors: all segments are queried, and no event is duplicated', async test => {
  const full = await fillSpool(test, 3);
  await deliver(full);
  await expectAllBut(full, []);
  await full.scene.ingest.kill9();
  await writeFile(join(full.directory, 'clickhouse.cursor'), '999999 123\n');
  await writeFile(join(full.directory, 'outbox.cursor'), '');
  await deliver(full);
  await expectAllBut(full, []);
  // The inserter groups waiting segments into blocks, so the number of blocks can vary.
  const samples = await metrics(full.scene.ingest);
  expect(sumOf(samples, /^ingest_insert_already_present_total$/)).toBeGreaterThan(0);
  expect(sumOf(samples, /^ingest_insert_rows_total$/)).toBe(0);
});

/** Only in the long run: damage at random positions of a file, many times. */
test.runIf(IS_LONG)(
  'a bit flip, zeros or a truncation anywhere: never wrong data, never a crash',
  async test => {
    const seed = Date.now() % 1_000_000;
    const random = createRandom(seed);
    for (let round = 0; round < 60; round++) {
      const full = await fillSpool(test, 2);
      const file = random.pick(full.segments);
      const position = random.below(file.bytes.length);
      if (round % 3 === 0) await flipBit(file, position, random.below(8));
      else if (round % 3 === 1) await cutAt(file, position);
      else
        await fillWithZeros(
          file,
          position,
          Math.min(position + 1 + random.below(3_000), file.bytes.length),
        );
      await deliver(full);
      const { workspaceId } = full.scene.tenant;
      const ids = full.ids.flat(2);
      const raw = await tally(clickhouse(), 'events_raw', workspaceId, ids);
      const lostMax = full.ids[full.segments.indexOf(file)]!.flat();
      const hint = `seed ${seed} round ${round} position ${position}`;
      expect({ ...raw, missing: [] }, hint).toEqual(EACH_ONCE);
      expect(lostMax, hint).toEqual(expect.arrayContaining(raw.missing));
      await expectAllBut(full, raw.missing);
      await full.scene.ingest.kill9();
    }
  },
);
