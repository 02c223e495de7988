// A token tells ClickHouse which insert is a repeat of which: the same for the same rows, on every
// try and in every process; another one for anything else, or rows would be taken for others.

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cutBlocks } from '../../../ingest/insert/block.ts';
import { nodeFileSystem as fs } from '../../../ingest/spool/file-system.ts';
import { readSegment, type SegmentContents } from '../../../ingest/spool/read-segment.ts';
import { recoverLog } from '../../../ingest/spool/recover.ts';
import { SpoolLog } from '../../../ingest/spool/spool-log.ts';
import { EVENTS_RAW } from '../../../schema/rows/events-raw.ts';
import { newDirectory } from '../../harness/run-directory.ts';
import { appendEvent } from '../spool/one-event.ts';

const FIRST = '01900000-0000-7000-8000-000000000001';
const SECOND = '01900000-0000-7000-8000-000000000002';

/** What a reader finds of a segment with these events, a frame each, by year. */
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
  for (const [event, year] of events) await appendEvent(log, event, year);
  await log.close();
  expect(await readdir(directory)).toHaveLength(1);
  return () => read(directory);
}

async function read(directory: string): Promise<SegmentContents> {
  const { segments } = await recoverLog({ fs, directory, headerBytes: 0, onFailure: () => {} });
  const contents = await readSegment(fs, directory, segments[0]!, damage => {
    throw new Error(`damaged: ${join(directory, damage.path)}`);
  });
  return contents!;
}

const tokensOf = (contents: SegmentContents) => cutBlocks(contents).map(block => block.token);

test('the same blocks, with the same tokens, at every reading; each has one of its own', async () => {
  const segment = await segmentOf(FIRST, [
    ['a', 2024],
    ['b', 2025],
    ['c', 2024],
  ]);
  const [once, again] = [await segment(), await segment()];
  expect(cutBlocks(again)).toEqual(cutBlocks(once));
  const blocks = cutBlocks(once);
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
