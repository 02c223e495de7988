// The client's parts that need neither a browser nor a service.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as service from '../../ingest/limits.ts';
import { batchBody, cutBatch } from '../../sdk/core/cut-batch.ts';
import { createEntry, type Entry } from '../../sdk/core/entry.ts';
import { LIBRARY } from '../../sdk/core/library.ts';
import {
  BATCH_EVENTS_MAX,
  BODY_BYTES_MAX,
  ENVELOPE_BYTES,
  QUEUE_BYTES_MAX,
  QUEUE_ENTRIES_MAX,
  SESSION_IDLE_MS,
} from '../../sdk/core/limits.ts';
import { MemoryQueue } from '../../sdk/core/memory-queue.ts';
import type { ClientProblem } from '../../sdk/core/problem.ts';
import { type Visitor, visitorAt } from '../../sdk/core/visitor.ts';

const NOW_MS = Date.parse('2026-11-23T12:00:00Z');
const MINUTE_MS = 60_000;

function ids() {
  let number = 0;
  const next = () => number++;
  return { nowMs: () => NOW_MS, newId: () => `id-${next()}`, nextNumber: next, random: () => 0 };
}

function entryOf(bytes: number): Entry {
  const filler = 'x'.repeat(bytes - '{"p":""}'.length);
  return createEntry('/v1/batch', { p: filler }, ids());
}

test('the limits of a request are the service’s', () => {
  expect([BATCH_EVENTS_MAX, BODY_BYTES_MAX]).toEqual([
    service.BATCH_EVENTS_MAX,
    service.BODY_BYTES_MAX,
  ]);
});

test('the version is that of the package', async () => {
  const path = join(import.meta.dirname, '../../sdk/package.json');
  const { name, version } = JSON.parse(await readFile(path, 'utf8')) as typeof LIBRARY;
  expect({ name, version }).toEqual(LIBRARY);
});

test.for<[string, number, number]>([
  ['the same session a moment later', 1, 0],
  ['the same session after just under 30 minutes', SESSION_IDLE_MS, 0],
  ['a new session after more than 30 minutes', SESSION_IDLE_MS + 1, 1],
  ['the same session while the clock is set back a little', -MINUTE_MS, 0],
  ['a new session after the clock was set back far', -2 * SESSION_IDLE_MS, 1],
])('%s', ([, laterMs, newSessions]) => {
  const { newId } = ids();
  const first = visitorAt(undefined, NOW_MS, newId);
  const second = visitorAt(first, NOW_MS + laterMs, newId);
  expect(second.anonymousId).toBe(first.anonymousId);
  expect(second.sessionId === first.sessionId ? 0 : 1).toBe(newSessions);
});

test('a session lasts as long as there are calls', () => {
  const { newId } = ids();
  let visitor: Visitor | undefined;
  const sessions = Array.from({ length: 10 }, (_, i) => {
    visitor = visitorAt(visitor, NOW_MS + i * 29 * MINUTE_MS, newId);
    return visitor.sessionId;
  });
  expect(new Set(sessions).size).toBe(1);
});

test.for<[string, number[], number, number]>([
  ['as many as there are', [100, 100], 100, 2],
  ['no more than the limit of events', [100, 100, 100], 2, 2],
  ['no more bytes than a body may have', [300_000, 150_000, 100_000], 100, 2],
  ['one that is too large, alone', [600_000, 100], 100, 1],
  ['none of none', [], 100, 0],
])('a batch has %s', ([, sizes, eventsMax, expected]) => {
  const limits = { eventsMax, bodyBytesMax: BODY_BYTES_MAX };
  expect(cutBatch(sizes.map(entryOf), limits)).toHaveLength(expected);
});

test('a full batch fits into a request', () => {
  const entries = Array.from({ length: 100 }, () => entryOf(BODY_BYTES_MAX / 50));
  const batch = cutBatch(entries, { eventsMax: 100, bodyBytesMax: BODY_BYTES_MAX });
  const bytes = Buffer.byteLength(batchBody(batch, 'k'.repeat(512), NOW_MS));
  expect(bytes).toBeLessThanOrEqual(BODY_BYTES_MAX);
  expect(bytes).toBeGreaterThan(BODY_BYTES_MAX - ENVELOPE_BYTES - BODY_BYTES_MAX / 50);
});

test('the keys of entries sort by their time and order', () => {
  const all = ids();
  let nowMs = NOW_MS;
  const entries = Array.from({ length: 100 }, (_, i) => {
    if (i % 10 === 0) nowMs += 999;
    return createEntry('/v1/batch', { i }, { ...all, nowMs: () => nowMs });
  });
  expect(entries.map(({ key }) => key).toSorted()).toEqual(entries.map(({ key }) => key));
});

test.for<[string, number, number]>([
  ['entries', QUEUE_ENTRIES_MAX, 100],
  ['bytes', Math.floor(QUEUE_BYTES_MAX / 400_000), 400_000],
])('a queue in memory has a limit of %s, and reports dropped events', async ([, fits, bytes]) => {
  const problems: ClientProblem[] = [];
  const queue = new MemoryQueue(problem => problems.push(problem));
  const entry = entryOf(bytes);
  for (let i = 0; i < fits + 2; i++) queue.add({ ...entry, key: String(i) });
  expect(queue.size).toBe(fits);
  expect(problems.map(({ code, lost }) => [code, lost.length])).toEqual([
    ['QUEUE_FULL', 1],
    ['QUEUE_FULL', 1],
  ]);
  await queue.remove(['0', 'unknown']);
  queue.add({ ...entry, key: 'new' });
  expect([queue.size, problems.length]).toEqual([fits, 2]);
});
