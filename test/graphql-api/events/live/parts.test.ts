// The parts of the live view, without processes: truncation, filters, terminal output, and samples
// of a batch.

import { once } from 'node:events';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { stripVTControlCharacters } from 'node:util';
import { getRequestListener } from '@hono/node-server';
import { describe, expect, test } from 'vitest';
import { tailLine } from '../../../../embedded/tail/line.ts';
import type { TailItem } from '../../../../embedded/tail/live-document.ts';
import { streamAnswer } from '../../../../graphql-api/app/stream-answer.ts';
import {
  isLookedFor,
  type LiveCounts,
  type LiveEvent,
} from '../../../../graphql-api/events/live/live-item.ts';
import { Subscriber } from '../../../../graphql-api/events/live/subscriber.ts';
import { TAIL_RING_ENTRIES_MAX, TAIL_WATCHES_MAX } from '../../../../ingest/tail/tail-limits.ts';
import { Sampler, type Tapped } from '../../../../ingest/tail/tap.ts';
import { Watches } from '../../../../ingest/tail/watches.ts';
import type { TailAnswer, TailEntry } from '../../../../schema/values/tail.ts';

const ENTRY: TailEntry = {
  endpoint: '/v1/batch',
  receivedAtMs: 0,
  keyId: 'key-1',
  type: 'track',
  name: 'Order Completed',
  messageId: 'message-1',
  userId: 'ann',
  anonymousId: 'device-1',
  text: '{}',
  textBytes: 2,
  index: 0,
};
const EVENT: LiveEvent = { ...ENTRY, kind: 'EVENT' };
const COUNTS: LiveCounts = {
  kind: 'COUNTS',
  at: new Date(0),
  accepted: 0,
  duplicates: 0,
  rejected: 0,
  notShown: 0,
  deliveries: 0,
  deliveriesNotShown: 0,
  isIngestAnswering: true,
};

describe('a subscriber', () => {
  test('receives items in order, and the end while it waits', async () => {
    let ends = 0;
    const subscriber = new Subscriber({}, () => ends++);
    subscriber.give(EVENT);
    const all = Promise.all([subscriber.next(), subscriber.next(), subscriber.next()]);
    subscriber.give(COUNTS);
    await subscriber.return();
    expect((await all).map(({ value }) => value)).toEqual([EVENT, COUNTS, undefined]);
    expect(await subscriber.next()).toEqual({ done: true, value: undefined });
    expect(ends).toBe(1);
  });

  test('that reads nothing is ended, and its items are discarded', async () => {
    let isOver = false;
    const subscriber = new Subscriber({}, () => {
      isOver = true;
    });
    for (let given = 0; given < 10_000 && !isOver; given++) subscriber.give(EVENT);
    expect(isOver).toBe(true);
    expect(await subscriber.next()).toEqual({ done: true, value: undefined });
  });
});

test('a client that does not read a stream is disconnected', async () => {
  let isCancelled = false;
  const source = new ReadableStream<Uint8Array>({
    pull: controller => controller.enqueue(new Uint8Array(64 * 1024)),
    cancel: () => {
      isCancelled = true;
    },
  });
  const answer = new Response(source, { headers: { 'content-type': 'text/event-stream' } });
  const listener = getRequestListener(() => streamAnswer(answer));
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const closed = new Promise(resolve => {
    server.on('connection', socket => socket.on('close', resolve));
  });
  const request = get(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, incoming => {
    incoming.on('error', () => undefined);
    incoming.pause();
  });
  request.on('error', () => undefined);
  await closed;
  expect(isCancelled).toBe(true);
  server.close();
});

test.for([
  [{ name: 'Order*' }, true, true],
  [{ name: 'Order' }, false, true],
  [{ type: 'track', user: 'ann' }, true, true],
  [{ user: 'device-1' }, true, true],
  [{ user: 'device-1', code: 'MISSING_FIELD' }, false, true],
  [{ kinds: ['COUNTS'] }, false, true],
  [{ kinds: ['EVENT'], code: null }, true, false],
  [{ kinds: [] }, false, false],
] as const)('%o finds an event: %s; counts: %s', ([filter, findsEvent, findsCounts]) => {
  expect(isLookedFor(filter, EVENT)).toBe(findsEvent);
  expect(isLookedFor(filter, COUNTS)).toBe(findsCounts);
});

describe('watches', () => {
  const nowMs = 0;
  const clock = { monotonicMs: () => nowMs };
  const start = (onChange: (ids: readonly string[], revision: number) => void = () => undefined) =>
    new Watches({ threads: 2, clock, onChange });
  const taken = (workspaceId: string, count: number): Tapped['taken'] => [
    {
      workspaceId,
      counts: { accepted: count, duplicates: 0, rejected: 0 },
      entries: Array.from({ length: count }, () => JSON.stringify(ENTRY)),
    },
  ];
  const asked = async (watches: Watches, id: string, after = '') =>
    JSON.parse((await watches.ask(id, after))!) as TailAnswer;

  test('the first watch is acknowledged once every thread knows of it', async () => {
    const watches = start();
    const first = asked(watches, 'a');
    watches.receive(0, { revision: 1, taken: taken('a', 1) });
    watches.receive(1, { revision: 1, taken: [] });
    const answer = await first;
    expect(answer).toMatchObject({ isNew: true, accepted: 1, entries: [] });
    watches.receive(1, { revision: 1, taken: taken('a', 2) });
    const next = await asked(watches, 'a', answer.cursor);
    expect(next).toMatchObject({ isNew: false, accepted: 3, entries: [{}, {}] });
    watches.stop();
  });

  test('a late poll returns a limited number of entries, and the counts include the missing ones', async () => {
    const watches = start();
    const first = asked(watches, 'a');
    for (const thread of [0, 1]) watches.receive(thread, { revision: 1, taken: [] });
    const { cursor } = await first;
    for (let i = 0; i < 20; i++) watches.receive(0, { revision: 1, taken: taken('a', 100) });
    const { accepted, entries } = await asked(watches, 'a', cursor);
    expect(accepted).toBe(2_000);
    expect(entries).toHaveLength(TAIL_RING_ENTRIES_MAX);
    watches.stop();
  });

  test('the number of watched workspaces is limited', async () => {
    const watches = start();
    const all = Array.from({ length: TAIL_WATCHES_MAX }, (_, i) => watches.ask(`w-${i}`, ''));
    expect(await watches.ask('one more', '')).toBeUndefined();
    watches.stop();
    await Promise.all(all);
  });
});

test('a sampler counts all events and samples a few', () => {
  const sampler = new Sampler();
  const body = { value: {}, bytes: Buffer.from('{}') } as never;
  const request = { account: { keyId: 'key-1' }, receivedAtMs: 0 } as never;
  for (let i = 0; i < 500; i++) sampler.noteReport(body, '/v1/push/engagement', request, undefined);
  const { counts, entries } = sampler.take()!;
  expect(counts).toEqual({ accepted: 500, duplicates: 0, rejected: 0 });
  expect(entries).toHaveLength(10);
  expect(sampler.take()).toBeUndefined();
});

describe('a line of the terminal', () => {
  const item: TailItem = {
    __typename: 'LiveEvent',
    receivedAt: '2026-11-21T07:53:47.965Z',
    endpoint: '/v1/batch',
    sdkKeyId: 'key',
    type: 'track',
    name: 'Order \u001b[31mCompleted',
    messageId: 'm',
    userId: 'ann',
    anonymousId: null,
    body: '{"properties":{"note":"a\\u001b[2Jb"}}',
    isBodyCut: false,
  };

  test('fits the width and contains no control sequences', () => {
    const line = tailLine(item, { width: 60, isColoured: false })!;
    expect(line.length).toBeLessThanOrEqual(60);
    expect(line).not.toContain('\u001b');
    expect(line).toMatch(/^\d\d:\d\d:\d\d\.965 \+ track {6}Order \?\[31mCompleted {8}ann/);
    const coloured = tailLine(item, { width: 60, isColoured: true })!;
    expect(stripVTControlCharacters(coloured)).toBe(line);
  });

  test('of counts is printed only if items are missing', () => {
    const { kind: _, at: __, ...none } = COUNTS;
    const counts = { __typename: 'LiveCounts' as const, at: item.receivedAt, ...none };
    const options = { width: 100, isColoured: false };
    expect(tailLine(counts, options)).toBeUndefined();
    const line = tailLine({ ...counts, accepted: 4_400, notShown: 4_312 }, options);
    expect(line).toContain('4,312 more events are not shown, of 4,400 accepted');
    expect(tailLine({ ...counts, isIngestAnswering: false }, options)).toContain('not responding');
  });
});
