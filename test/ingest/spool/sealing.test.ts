// A segment is sealed by size and by age. A segment with more data may become older.

import { rm } from 'node:fs/promises';
import { afterEach, expect, it } from 'vitest';
import {
  SEGMENT_AGE_MAX_MS,
  SEGMENT_BYTES_MAX,
  SEGMENT_BYTES_WORTHWHILE,
  WORTHWHILE_AGE_MAX_MS,
} from '../../../ingest/limits.ts';
import { nodeFileSystem as fs } from '../../../ingest/spool/file-system.ts';
import type { SealedSegment } from '../../../ingest/spool/segment.ts';
import { SpoolLog } from '../../../ingest/spool/spool-log.ts';
import { EVENTS_RAW } from '../../../schema/rows/events-raw.ts';
import { newDirectory } from '../../harness/run-directory.ts';
import { appendEvents } from './one-event.ts';

let nowMs = 0;
let log: SpoolLog;
let directory: string;
const sealed: SealedSegment[] = [];
afterEach(async () => {
  await log.close();
  await rm(directory, { recursive: true });
});

async function openLog() {
  nowMs = 0;
  sealed.length = 0;
  directory = await newDirectory('sealing');
  log = await SpoolLog.open({
    fs,
    clock: { nowMs: () => nowMs, monotonicMs: () => nowMs, sleep: () => Promise.resolve() },
    directory,
    tables: [EVENTS_RAW],
    firstSequence: 1,
    newId: () => '01900000-0000-7000-8000-000000000001',
    onSealed: segment => void sealed.push(segment),
    onCommit: () => undefined,
    onFailure: error => {
      throw error;
    },
  });
}

/** Appends one frame of at least this number of bytes; resolves when it is on disk. */
const append = (bytes: number) =>
  appendEvents(log, Array(Math.ceil(bytes / 4_000)).fill('x'.repeat(4_000)), 2025);

/** The next append goes to the next segment, so this one is sealed once that append is on disk. */
async function sealedAfter(ms: number): Promise<number> {
  nowMs = ms;
  log.tick();
  await append(1);
  return sealed.length;
}

it('a small segment is sealed when it is a second old', async () => {
  await openLog();
  await append(SEGMENT_BYTES_WORTHWHILE / 2);
  expect(await sealedAfter(SEGMENT_AGE_MAX_MS - 1)).toBe(0);
  expect(await sealedAfter(SEGMENT_AGE_MAX_MS)).toBe(1);
});

it('a segment that fills fast is sealed a little later', async () => {
  await openLog();
  await append(SEGMENT_BYTES_WORTHWHILE);
  expect(await sealedAfter(SEGMENT_AGE_MAX_MS)).toBe(0);
  expect(await sealedAfter(WORTHWHILE_AGE_MAX_MS - 1)).toBe(0);
  expect(await sealedAfter(WORTHWHILE_AGE_MAX_MS)).toBe(1);
});

it('a large segment is sealed immediately', async () => {
  await openLog();
  const part = SEGMENT_BYTES_MAX / 4;
  for (let parts = 0; parts < 3; parts++) await append(part);
  expect(await sealedAfter(0)).toBe(0);
  await append(part);
  expect(await sealedAfter(0)).toBe(1);
  expect(sealed[0]!.bytes).toBeGreaterThanOrEqual(SEGMENT_BYTES_MAX);
});
