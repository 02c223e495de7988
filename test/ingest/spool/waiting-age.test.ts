// The age of the oldest undelivered data, per reader: measured in elapsed time, independent of
// changes of the wall clock.

import { expect, test } from 'vitest';
import { nodeFileSystem } from '../../../ingest/spool/file-system.ts';
import type { SealedSegment } from '../../../ingest/spool/segment.ts';
import { Shelf } from '../../../ingest/spool/shelf.ts';

const HOUR_MS = 3_600_000;
const EPOCH_MS = Date.UTC(2026, 0, 1);

function scene() {
  const time = { wallMs: EPOCH_MS, monotonicMs: 5_000 };
  const shelf = new Shelf(
    {
      fs: nodeFileSystem,
      clock: {
        nowMs: () => time.wallMs,
        monotonicMs: () => time.monotonicMs,
        sleep: () => Promise.resolve(),
      },
      directory: '/nowhere',
      readers: ['clickhouse', 'outbox'],
      retainedBytesMax: 0,
      onPassed: () => undefined,
    },
    new Map(),
  );
  const segment = (sequence: number, times: Partial<SealedSegment>): SealedSegment => ({
    sequence,
    id: undefined,
    path: `/nowhere/${sequence}.segment`,
    bytes: 1,
    createdAtMs: time.wallMs,
    isFresh: true,
    mayHaveOutboxRows: true,
    rows: 0,
    ...times,
  });
  const ages = () => ['clickhouse', 'outbox'].map(reader => shelf.oldestUnsentMs(reader));
  return { time, shelf, segment, ages };
}

test('the age for each reader is that of its oldest unprocessed segment', () => {
  const { time, shelf, segment, ages } = scene();
  expect(ages()).toEqual([0, 0]);
  const first = segment(1, { firstFrameAtMs: 4_000 });
  const second = segment(2, { firstFrameAtMs: 4_700 });
  shelf.add(first);
  shelf.add(second);
  time.monotonicMs = 6_000;
  expect(ages()).toEqual([2_000, 2_000]);
  shelf.passed('clickhouse', first);
  expect(ages()).toEqual([1_300, 2_000]);
  shelf.passed('clickhouse', second);
  expect(ages()).toEqual([0, 2_000]);
  shelf.passed('outbox', first);
  shelf.passed('outbox', second);
  expect(ages()).toEqual([0, 0]);
});

test('setting the clock does not change the age', () => {
  const { time, shelf, segment, ages } = scene();
  shelf.add(segment(1, { firstFrameAtMs: 4_000 }));
  for (const jumpMs of [HOUR_MS, -2 * HOUR_MS]) {
    time.wallMs += jumpMs;
    expect(ages()).toEqual([1_000, 1_000]);
  }
});

test('data of an earlier process initially has the age of its file', () => {
  const { time, shelf, segment, ages } = scene();
  shelf.add(segment(1, { createdAtMs: EPOCH_MS - HOUR_MS, isFresh: false }));
  expect(ages()[0]).toBe(HOUR_MS);
  time.monotonicMs += 500;
  time.wallMs += HOUR_MS;
  expect(ages()[0]).toBe(HOUR_MS + 500);
});

test('a file from the future, or with an unreadable header, has no age', () => {
  for (const createdAtMs of [EPOCH_MS + HOUR_MS, 0]) {
    const { time, shelf, segment, ages } = scene();
    shelf.add(segment(1, { createdAtMs, isFresh: false }));
    time.monotonicMs += 700;
    expect(ages()[0]).toBe(700);
  }
});
