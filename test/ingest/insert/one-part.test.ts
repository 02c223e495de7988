// A block becomes one part of ClickHouse, regardless of its size: it is committed completely or not
// at all, under one token. That's why one stored row of a block proves that all are stored.

import { rm } from 'node:fs/promises';
import { afterAll, expect, test } from 'vitest';
import { systemClock } from '../../../ingest/clock.ts';
import { type Block, cutBlocks, type Share } from '../../../ingest/insert/block.ts';
import { connectClickHouse } from '../../../ingest/insert/clickhouse.ts';
import { type InsertBlockDeps, insertBlock } from '../../../ingest/insert/insert-block.ts';
import { SEGMENT_BYTES_MAX, SEGMENT_ROWS_MAX } from '../../../ingest/limits.ts';
import { nodeFileSystem as fs } from '../../../ingest/spool/file-system.ts';
import { SegmentReadFailure } from '../../../ingest/spool/read-payloads.ts';
import { readSegment } from '../../../ingest/spool/read-segment.ts';
import { recoverLog } from '../../../ingest/spool/recover.ts';
import { SpoolLog } from '../../../ingest/spool/spool-log.ts';
import { EVENTS_RAW } from '../../../schema/rows/events-raw.ts';
import { useClickHouse } from '../../harness/own-clickhouse.ts';
import { newDirectory } from '../../harness/run-directory.ts';
import { appendEvents } from '../spool/one-event.ts';

const clickhouse = useClickHouse();
const directories: string[] = [];
afterAll(() => Promise.all(directories.map(directory => rm(directory, { recursive: true }))));

const FRAME_ROWS = 500;
/** Less than a block of 36 MB needs, and more than a quarter of it. */
const MEMORY_BYTES = 40_000_000;
/**
 * Today's events go to the partition of their day, events of a closed day to the one for late
 * events.
 */
const DAYS = [19_800, Math.floor(Date.now() / 86_400_000)];
let segments = 0;

/**
 * The blocks of a segment with this number of rows, on alternating days, with event names of
 * `nameBytes`.
 */
async function blocksOf(rows: number, nameBytes: number): Promise<Block[]> {
  const directory = await newDirectory('one-part');
  directories.push(directory);
  const id = `01900000-0000-7000-8000-${String(++segments).padStart(12, '0')}`;
  const log = await SpoolLog.open({
    fs,
    clock: { nowMs: () => 0, monotonicMs: () => 0, sleep: () => Promise.resolve() },
    directory,
    tables: [EVENTS_RAW],
    firstSequence: 1,
    newId: () => id,
    onSealed: () => undefined,
    onCommit: () => undefined,
    onFailure: error => {
      throw error;
    },
  });
  const names = Array.from({ length: FRAME_ROWS }, (_, i) => String(i).padEnd(nameBytes, 'x'));
  for (let frame = 0; frame < rows / FRAME_ROWS; frame++)
    await appendEvents(log, names, DAYS[frame % DAYS.length]!);
  await log.close();
  const { segments: found } = await recoverLog({
    fs,
    directory,
    headerBytes: 0,
    readSequence: 0,
    onFailure: () => undefined,
  });
  const contents = await readSegment(fs, directory, found[0]!, () => undefined);
  return cutBlocks([contents!]);
}

function deps(): InsertBlockDeps {
  const fail = (_: Block, error: unknown) => {
    throw error;
  };
  return {
    clickhouse: connectClickHouse(clickhouse().url),
    clock: systemClock,
    random: Math.random,
    signal: new AbortController().signal,
    beforeParts: block => Promise.reject(new Error(`${block.token} is taken apart`)),
    park: block => Promise.reject(new Error(`${block.token} is parked`)),
    onInserted: () => undefined,
    onPresent: () => undefined,
    onFailure: fail,
  };
}

function partsOf({ groupId }: Block) {
  return clickhouse().rows<{ partition: number; parts: number; rows: number }>(
    `SELECT toUInt32(${EVENTS_RAW.partitionExpression}) AS partition, toUInt32(uniq(_part)) AS parts, toUInt32(count()) AS rows
     FROM events_raw WHERE batch_id = {id:UUID} GROUP BY partition ORDER BY partition`,
    { id: groupId },
  );
}

test.each([
  ['as many bytes as a segment may outgrow its size by', (1.5 * SEGMENT_BYTES_MAX) / 1_000, 900],
  ['as many rows as a segment may have', SEGMENT_ROWS_MAX, 0],
])(
  'a block of %s is one part, and its token covers the whole block',
  async (_, rows, nameBytes) => {
    const blocks = await blocksOf(rows, nameBytes);
    expect(blocks).toHaveLength(DAYS.length);
    for (const block of [...blocks, ...blocks])
      expect(await insertBlock(deps(), block, 'never tried')).toBe(true);
    expect(await partsOf(blocks[0]!)).toEqual(
      blocks.map(({ partition, rows: count }) => ({ partition, parts: 1, rows: count })),
    );
  },
);

test('a block that cannot be read completely inserts nothing, and is inserted completely later', async () => {
  const [block] = await blocksOf(20_000, 300);
  const { body } = block!;
  if (!('shares' in body)) throw new Error('a block of a segment has shares');
  const [share] = body.shares;
  const broken = {
    payloadsOf: async function* (frames: Share['frames']) {
      let pieces = 0;
      for await (const piece of share!.source.payloadsOf(frames)) {
        if (pieces++ === 2) throw new SegmentReadFailure('segment', new Error('changed'));
        yield piece;
      }
    },
  };
  const cut = { ...block!, body: { shares: [{ ...share!, source: broken }] } };
  await expect(insertBlock(deps(), cut, 'never tried')).rejects.toThrow(SegmentReadFailure);
  expect(await partsOf(cut)).toEqual([]);
  expect(await insertBlock(deps(), block!, 'maybe tried')).toBe(true);
  expect(await partsOf(cut)).toEqual([{ partition: DAYS[0], parts: 1, rows: block!.rows }]);
});

test('a block that exceeds the memory of ClickHouse is inserted in halves, after a marker is written', async () => {
  const [block] = await blocksOf(80_000, 900);
  const { clickhouse: real, ...others } = deps();
  const notes: Block[] = [];
  let refusals = 0;
  const small: InsertBlockDeps = {
    ...others,
    clickhouse: {
      ...real,
      execute: (sql, options) =>
        real.execute(sql, {
          ...options,
          settings: { ...options?.settings, max_memory_usage: MEMORY_BYTES },
        }),
    },
    clock: { ...systemClock, sleep: () => Promise.resolve() },
    beforeParts: async noted => void notes.push(noted),
    onFailure: (_, error) => {
      expect(error).toMatchObject({ code: 241 });
      refusals++;
    },
  };
  expect(await insertBlock(small, block!, 'never tried')).toBe(true);
  expect(notes[0]).toBe(block);
  expect(refusals).toBeGreaterThan(1);
  const [found] = await partsOf(block!);
  expect(found).toMatchObject({ partition: DAYS[0], rows: block!.rows });
  expect(found!.parts).toBeGreaterThan(1);
});
