// Which changes of a spool during a backup make it incomplete.

import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { copySpool } from '../../backup/copy-spool.ts';
import { readUndelivered, requireDeliveredSince } from '../../backup/delivered-since.ts';
import { saveCursor } from '../../ingest/spool/cursor.ts';
import { nodeFileSystem } from '../../ingest/spool/file-system.ts';
import { segmentName } from '../../ingest/spool/segment.ts';
import { newDirectory } from '../harness/run-directory.ts';

const THREAD = 'default/0';
const REQUEUED = 'default/requeue-01900000-0000-7000-8000-000000000000';

/** The readers' positions and the segments on disk; undefined for a log that does not exist. */
type Log = readonly [clickhouse: number, outbox: number, segments: readonly number[]] | undefined;

async function write(spool: string, name: string, log: Log): Promise<void> {
  const directory = join(spool, name);
  await rm(directory, { recursive: true, force: true });
  if (log === undefined) return;
  const [clickhouse, outbox, segments] = log;
  await mkdir(directory, { recursive: true });
  if (clickhouse > 0) await saveCursor(nodeFileSystem, directory, 'clickhouse', clickhouse);
  if (outbox > 0) await saveCursor(nodeFileSystem, directory, 'outbox', outbox);
  for (const segment of segments) await writeFile(join(directory, segmentName(segment)), '');
}

test.for<[what: string, log: string, atStart: Log, atEnd: Log, isComplete: boolean]>([
  ['all are kept', THREAD, [5, 5, [3, 4, 5, 6]], [7, 7, [3, 4, 5, 6, 7, 8]], true],
  ['only earlier ones are gone', THREAD, [5, 5, [3, 4, 5, 6]], [7, 7, [5, 6, 7, 8]], true],
  ['the first is gone', THREAD, [5, 5, [3, 4, 5, 6]], [7, 7, [6, 7, 8]], false],
  ['only Postgres lacked the first', THREAD, [7, 5, [3, 5, 6, 7]], [8, 8, [6, 7, 8]], false],
  ['only ClickHouse lacked the first', THREAD, [5, 7, [3, 5, 6, 7]], [8, 8, [6, 7, 8]], false],
  ['all are gone, and the node has stopped', THREAD, [5, 5, [5, 6]], [8, 8, []], false],
  ['a log without events, after a crash', THREAD, [5, 5, [7, 8]], [5, 5, [9, 10]], true],
  ['a crash, and a kept segment', THREAD, [5, 5, [4, 5, 6]], [8, 8, [4, 7, 8, 9]], true],
  ['a new log', THREAD, undefined, [2, 2, [1, 2, 3]], true],
  ['a new log without its first segment', THREAD, undefined, [3, 3, [2, 3, 4]], false],
  ['an unused log', THREAD, [0, 0, []], [0, 0, []], true],
  ['a requeued log is being delivered', REQUEUED, [0, 0, [1, 2]], [3, 2, [1, 2]], true],
  ['a requeued log was delivered and removed', REQUEUED, [0, 0, [1, 2]], undefined, false],
  ['a delivered requeued log is removed', REQUEUED, [3, 3, [1, 2]], undefined, true],
])('%s', async ([, log, atStart, atEnd, isComplete]) => {
  const ingest = await newDirectory('spool-to-copy');
  const spool = join(ingest, 'spool');
  await write(spool, log, atStart);
  const undelivered = await readUndelivered(spool);
  await write(spool, log, atEnd);
  const copying = copySpool(ingest, await newDirectory('copied-spool'), undelivered, () => {});
  if (isComplete) await copying;
  else await expect(copying).rejects.toThrow(`(log ${log})`);
});

test('segments that are removed between listing and copying are missed unless they were empty', async () => {
  const spool = await newDirectory('spool-to-copy');
  await write(spool, THREAD, [5, 5, [5, 6]]);
  const undelivered = await readUndelivered(spool);
  await write(spool, THREAD, [7, 7, [7, 8]]);
  const pathsOf = (...numbers: number[]) =>
    new Set(numbers.map(number => join(THREAD, segmentName(number))));
  const check = (listed: Set<string>, copied: Set<string>) =>
    requireDeliveredSince(spool, undelivered, { listed, copied });
  await check(pathsOf(5, 6, 7, 8), pathsOf(5, 6));
  await expect(check(pathsOf(5, 6, 7), pathsOf(5, 7))).rejects.toThrow('no longer has all rows');
});
