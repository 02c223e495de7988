// A token tells ClickHouse which insert is a repeat of which: the same for the same rows, on every
// try and in every process; another one for anything else, or rows would be taken for others.

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Block, cutBlocks } from '../../../ingest/insert/block.ts';
import { statementBody } from '../../../ingest/insert/block-body.ts';
import { halveBlock } from '../../../ingest/insert/halve-block.ts';
import { nodeFileSystem as fs } from '../../../ingest/spool/file-system.ts';
import { readSegment, type SegmentContents } from '../../../ingest/spool/read-segment.ts';
import { recoverLog } from '../../../ingest/spool/recover.ts';
import { SpoolLog } from '../../../ingest/spool/spool-log.ts';
import { EVENTS_RAW } from '../../../schema/rows/events-raw.ts';
import { newDirectory } from '../../harness/run-directory.ts';
import { appendEvents } from '../spool/one-event.ts';

const FIRST = '01900000-0000-7000-8000-000000000001';
const SECOND = '01900000-0000-7000-8000-000000000002';

/** What a reader finds of a segment with these events, a frame each (a row for each word), by year. */
async function segmentOf(id: string, events: readonly [event: string, year: number][]) {
  const directory = await newDirectory('block');
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
  for (const [event, year] of events) await appendEvents(log, event.split(' '), year);
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

/** What goes out, which is as long as is said before. */
async function bodyOf(block: Block): Promise<Buffer> {
  const { bytes, pieces } = statementBody(block.body);
  const sent: Buffer[] = [];
  for await (const piece of pieces()) sent.push(Buffer.from(piece));
  const body = Buffer.concat(sent);
  expect(body.length).toBe(bytes);
  return body;
}

const tokensOf = (contents: SegmentContents) => cutBlocks(contents).map(block => block.token);

test('the same blocks, with the same tokens, at every reading; each has one of its own', async () => {
  const segment = await segmentOf(FIRST, [
    ['a', 2024],
    ['b', 2025],
    ['c', 2024],
  ]);
  const [once, again] = [await segment(), await segment()];
  const blocks = cutBlocks(once);
  const described = async (block: Block) => ({ ...block, body: await bodyOf(block) });
  expect(await Promise.all(cutBlocks(again).map(described))).toEqual(
    await Promise.all(blocks.map(described)),
  );
  expect(blocks.map(({ partition, rows }) => [partition, rows])).toEqual([
    [2024, 2],
    [2025, 1],
  ]);
  expect(new Set(tokensOf(once)).size).toBe(2);
});

test('other rows, another order, another segment: other tokens', async () => {
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

test('halves have the rows of the whole, each once, under tokens of their own', async () => {
  const segment = await segmentOf(FIRST, [
    ['a', 2024],
    ['b', 2025],
    ['c', 2024],
    ['d', 2024],
  ]);
  const [whole] = cutBlocks(await segment());
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
  const [whole] = cutBlocks(await segment());
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
