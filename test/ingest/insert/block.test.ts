// ClickHouse recognizes repeated inserts by their token: it is the same for the same rows, on every
// attempt and in every process, and different for other rows.

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Block, blockName, cutBlocks } from '../../../ingest/insert/block.ts';
import { statementBody } from '../../../ingest/insert/block-body.ts';
import { halveBlock } from '../../../ingest/insert/halve-block.ts';
import { SEGMENT_BYTES_MAX } from '../../../ingest/limits.ts';
import { nodeFileSystem as fs } from '../../../ingest/spool/file-system.ts';
import { readSegment, type SegmentContents } from '../../../ingest/spool/read-segment.ts';
import { recoverLog } from '../../../ingest/spool/recover.ts';
import { SpoolLog } from '../../../ingest/spool/spool-log.ts';
import { ALL_TABLES } from '../../../schema/rows/all-tables.ts';
import { EVENTS_RAW } from '../../../schema/rows/events-raw.ts';
import type { Table } from '../../../schema/rows/table.ts';
import { newDirectory } from '../../harness/run-directory.ts';
import { appendEvents } from '../spool/one-event.ts';

const FIRST = '01900000-0000-7000-8000-000000000001';
const SECOND = '01900000-0000-7000-8000-000000000002';

/** Reads back a segment with these events by year: one frame per event, one row per word. */
async function segmentOf(
  id: string,
  events: readonly [event: string, year: number][],
  table: Table = EVENTS_RAW,
) {
  const directory = await newDirectory('block');
  const log = await SpoolLog.open({
    fs,
    clock: { nowMs: () => 0, monotonicMs: () => 0, sleep: () => Promise.resolve() },
    directory,
    tables: [table],
    firstSequence: 1,
    newId: () => id,
    onSealed: () => undefined,
    onCommit: () => undefined,
    onFailure: error => {
      throw error;
    },
  });
  for (const [event, year] of events) await appendEvents(log, event.split(' '), year, table);
  await log.close();
  expect(await readdir(directory)).toHaveLength(1);
  return () => read(directory);
}

async function read(directory: string): Promise<SegmentContents> {
  const { segments } = await recoverLog({
    fs,
    directory,
    headerBytes: 0,
    readSequence: 0,
    onFailure: () => {},
  });
  const contents = await readSegment(fs, directory, segments[0]!, damage => {
    throw new Error(`damaged: ${join(directory, damage.path)}`);
  });
  return contents!;
}

/** The request body, whose length must be the announced one. */
async function bodyOf(block: Block): Promise<Buffer> {
  const { bytes, pieces } = statementBody(block.body);
  const sent: Buffer[] = [];
  for await (const piece of pieces()) sent.push(Buffer.from(piece));
  const body = Buffer.concat(sent);
  expect(body.length).toBe(bytes);
  return body;
}

const tokensOf = (contents: SegmentContents) => cutBlocks([contents]).map(block => block.token);

test('each reading gives the same blocks with the same tokens, and each block has its own token', async () => {
  const segment = await segmentOf(FIRST, [
    ['a', 2024],
    ['b', 2025],
    ['c', 2024],
  ]);
  const [once, again] = [await segment(), await segment()];
  const blocks = cutBlocks([once]);
  const described = async (block: Block) => ({ ...block, body: await bodyOf(block) });
  expect(await Promise.all(cutBlocks([again]).map(described))).toEqual(
    await Promise.all(blocks.map(described)),
  );
  expect(blocks.map(({ partition, rows }) => [partition, rows])).toEqual([
    [2024, 2],
    [2025, 1],
  ]);
  expect(new Set(tokensOf(once)).size).toBe(2);
});

test('other rows, another order or another segment give other tokens', async () => {
  const [ab, ax, ba, abc, other] = await Promise.all([
    segmentOf(FIRST, [
      ['a', 2024],
      ['b', 2024],
    ]),
    segmentOf(FIRST, [
      ['a', 2024],
      ['x', 2024],
    ]),
    segmentOf(FIRST, [
      ['b', 2024],
      ['a', 2024],
    ]),
    segmentOf(FIRST, [
      ['a', 2024],
      ['b', 2024],
      ['c', 2024],
    ]),
    segmentOf(SECOND, [
      ['a', 2024],
      ['b', 2024],
    ]),
  ]);
  const tokens: string[] = [];
  for (const segment of [ab, ax, ba, abc, other]) tokens.push(...tokensOf(await segment()));
  expect(tokens).toHaveLength(5);
  expect(new Set(tokens).size).toBe(5);
});

test('halves have all rows of the block, each once, under their own tokens', async () => {
  const segment = await segmentOf(FIRST, [
    ['a', 2024],
    ['b', 2025],
    ['c', 2024],
    ['d', 2024],
  ]);
  const [whole] = cutBlocks([await segment()]);
  const [early, late] = await halveBlock(whole!);
  expect([early, late].map(({ firstRow, lastRow, rows }) => [firstRow, lastRow, rows])).toEqual([
    [0, 2, 2],
    [3, 3, 1],
  ]);
  expect(Buffer.concat([await bodyOf(early), await bodyOf(late)])).toEqual(await bodyOf(whole!));
  expect(new Set([whole, early, late].map(block => block!.token)).size).toBe(3);
});

test('a frame of several rows is halved between them', async () => {
  const segment = await segmentOf(FIRST, [['a b c', 2024]]);
  const [whole] = cutBlocks([await segment()]);
  expect(whole).toMatchObject({ firstRow: 0, lastRow: 2, rows: 3 });
  const [early, late] = await halveBlock(whole!);
  expect([early, late].map(({ firstRow, lastRow, rows }) => [firstRow, lastRow, rows])).toEqual([
    [0, 1, 2],
    [2, 2, 1],
  ]);
  expect(Buffer.concat([await bodyOf(early), await bodyOf(late)])).toEqual(await bodyOf(whole!));
  const [first, second] = await halveBlock(early);
  expect(Buffer.concat([await bodyOf(first), await bodyOf(second)])).toEqual(await bodyOf(early));
  expect(new Set([whole, early, late, first, second].map(block => block!.token)).size).toBe(5);
});

test('a group has one block for each partition, with the rows of all its segments in order', async () => {
  const [first, second] = await Promise.all([
    segmentOf(FIRST, [
      ['a b', 2024],
      ['c', 2025],
    ]),
    segmentOf(SECOND, [
      ['d', 2025],
      ['e f', 2024],
    ]),
  ]);
  const [one, other] = [await first(), await second()];
  const blocks = cutBlocks([one, other]);
  expect(
    blocks.map(({ groupId, partition, segmentIds, firstRow, lastRow, rows }) => [
      [groupId, partition, rows],
      [segmentIds, firstRow, lastRow],
    ]),
  ).toEqual([
    [
      [FIRST, 2024, 4],
      [[FIRST, SECOND], 0, 2],
    ],
    [
      [FIRST, 2025, 2],
      [[FIRST, SECOND], 2, 0],
    ],
  ]);
  const alone = [...cutBlocks([one]), ...cutBlocks([other])];
  expect(await bodyOf(blocks[0]!)).toEqual(
    Buffer.concat([await bodyOf(alone[0]!), await bodyOf(alone[3]!)]),
  );
  expect(new Set([...blocks, ...alone].map(({ token }) => token)).size).toBe(6);
});

test('halves of a group are named by their own segments, and a single row as if it were inserted alone', async () => {
  const [first, second] = await Promise.all([
    segmentOf(FIRST, [['a', 2024]]),
    segmentOf(SECOND, [['b', 2024]]),
  ]);
  const [one, other] = [await first(), await second()];
  const halves = await halveBlock(cutBlocks([one, other])[0]!);
  const alone = [cutBlocks([one])[0]!, cutBlocks([other])[0]!];
  expect(halves.map(blockName)).toEqual(alone.map(blockName));
  expect(halves.map(({ token }) => token)).toEqual(alone.map(({ token }) => token));
  expect(halves.map(({ groupId }) => groupId)).toEqual([FIRST, FIRST]);
});

test('rows with the columns of another release are in a separate block', async () => {
  const older = { ...EVENTS_RAW, encoderVersion: EVENTS_RAW.encoderVersion - 1 };
  const [first, second] = await Promise.all([
    segmentOf(FIRST, [['a', 2024]], older),
    segmentOf(SECOND, [['b', 2024]]),
  ]);
  const blocks = cutBlocks([await first(), await second()]);
  expect(blocks.map(({ table, segmentIds }) => [table.encoderVersion, segmentIds])).toEqual([
    [older.encoderVersion, [FIRST]],
    [EVENTS_RAW.encoderVersion, [SECOND]],
  ]);
});

const MIN_BYTES = { UUID: 16, "DateTime64(3, 'UTC')": 8, UInt32: 4, UInt16: 2, String: 1 };
/** https://clickhouse.com/docs/operations/settings/settings#max_insert_block_size */
const CLICKHOUSE_BLOCK_ROWS = 1_048_449;

test.each(ALL_TABLES.filter(({ destination }) => destination === 'warehouse'))(
  'a full group of $name has fewer rows than a block of ClickHouse',
  table => {
    const rowBytes = table.columns.reduce((sum, { type }) => sum + MIN_BYTES[type], 0);
    expect(SEGMENT_BYTES_MAX / rowBytes).toBeLessThan(CLICKHOUSE_BLOCK_ROWS);
  },
);
