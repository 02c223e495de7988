// Kills ingest at each point at which its files or its warehouse are between two states. The kill
// is exact: the process receives an order to die at a certain call. Acknowledged events are on
// disk, so the next start delivers them; clients resend all others. Rows are counted in events_raw
// with merges stopped: only rows that a client resent may be stored twice.

import { writeFile } from 'node:fs/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { FRAME_HEADER_BYTES } from '../../ingest/spool/frame.ts';
import { realisticEvent, realisticEventText } from '../harness/batch.ts';
import { postEvents } from '../harness/batch-client.ts';
import { EACH_ONCE, tally } from '../harness/copies.ts';
import { eventually } from '../harness/eventually.ts';
import { createBarrier, type Exchange, pass } from '../harness/fault-proxy.ts';
import { useClickHouse } from '../harness/own-clickhouse.ts';
import { newDirectory } from '../harness/run-directory.ts';
import { type Order, type Orders, ordersIn } from './orders.ts';
import { expectValuesAsSent } from './realistic-load.ts';
import { openScene, type Scene, type TestHooks } from './scene.ts';
import { logDirectory, readSegments } from './spool-files.ts';

const IS_LONG = process.env.TEST_LONG !== undefined;
const isLong = true;
const EVENTS_PER_BATCH = 10;
/** The minimum: few bytes are kept after their insert, so files are soon unlinked. */
const SPOOL_MAX_BYTES = String(1024 * 1024);
const PROCESSES = 4;
/** Most of this time a test waits for a free process. */
const TIMEOUT_MS = 600_000;

const SEGMENT = String.raw`/spool/default/0/\d+\.segment$`;
const CURSOR = String.raw`/clickhouse\.cursor`;
const OUTBOX = String.raw`/outbox\.cursor`;
const LOG_DIRECTORY = '/spool/default/0$';
/** Frames are written after the header, which is the first write on a new handle. */
const FRAMES = { path: SEGMENT, isNew: true, isFirst: false } as const;
const SEALING = { ...FRAMES, bytes: FRAME_HEADER_BYTES } as const;
const HEADER = { path: SEGMENT, isNew: true, isFirst: true } as const;
/** At startup, ingest writes only to files that already exist. */
const RECOVERED = { path: SEGMENT, isNew: false } as const;

type Point = Order & {
  /** Covers little that similar points do not, so it only runs in the long run. */
  readonly isLong?: true;
};

const WHILE_IT_RUNS: readonly Point[] = [
  { name: 'a commit: before its write', kind: 'write', ...FRAMES, action: 'die instead' },
  { name: 'a commit: written', kind: 'write', ...FRAMES, action: 'die after', isLong },
  { name: 'a commit: before its sync', kind: 'sync', ...FRAMES, action: 'die before' },
  { name: 'a commit: synced, not answered', kind: 'sync', ...FRAMES, action: 'die after' },
  { name: 'sealing: before the seal', kind: 'write', ...SEALING, action: 'die before', isLong },
  { name: 'sealing: written, not synced', kind: 'sync', ...SEALING, action: 'die before' },
  { name: 'sealing: synced', kind: 'sync', ...SEALING, action: 'die after', isLong },
  { name: 'the next file: made', kind: 'create', path: SEGMENT, action: 'die after' },
  { name: 'the next file: headed', kind: 'write', ...HEADER, action: 'die after', isLong },
  { name: 'the next file: synced, not its name', kind: 'sync', ...HEADER, action: 'die after' },
  { name: 'the directory: synced', kind: 'sync', path: LOG_DIRECTORY, action: 'die after', isLong },
  { name: 'a cursor: its draft made', kind: 'create', path: CURSOR, action: 'die after', isLong },
  { name: 'a cursor: its draft written', kind: 'write', path: CURSOR, action: 'die after', isLong },
  { name: 'a cursor: its draft synced', kind: 'sync', path: CURSOR, action: 'die after' },
  { name: 'a cursor: renamed', kind: 'rename', path: CURSOR, action: 'die after' },
  { name: 'the outbox: renamed', kind: 'rename', path: OUTBOX, action: 'die after', isLong },
  { name: 'a kept file: before its unlink', kind: 'unlink', path: SEGMENT, action: 'die before' },
  { name: 'a kept file: unlinked', kind: 'unlink', path: SEGMENT, action: 'die after', isLong },
];

const WHILE_IT_STARTS: readonly Point[] = [
  { name: 'a torn tail: cut', kind: 'truncate', ...RECOVERED, action: 'die after' },
  { name: 'a found file: sealed', kind: 'write', ...RECOVERED, action: 'die after', isLong },
  { name: 'a found file: synced', kind: 'sync', ...RECOVERED, action: 'die after', isLong },
  { name: 'an empty file: unlinked', kind: 'unlink', path: SEGMENT, action: 'die after', isLong },
];

type Killing = (exchange: Exchange, kill: () => Promise<unknown>) => Promise<void>;

const WHILE_IT_INSERTS: Record<string, Killing> = {
  'an insert: before it is sent on': async (exchange, kill) => {
    await kill();
    exchange.cut();
  },
  'an insert: half of it has come': async (exchange, kill) => {
    await exchange.forwardHalf();
    await kill();
  },
  'an insert: under way': async (exchange, kill) => {
    const committed = exchange.forward();
    await kill();
    await committed;
  },
  'an insert: committed, not confirmed': async (exchange, kill) => {
    await exchange.forward();
    await kill();
  },
};

const clickhouse = useClickHouse();
const seed = Number(process.env.TEST_SEED ?? Date.now() % 1_000_000);

/** A process, restarted after each kill, with its client. */
type Stage = {
  readonly scene: Scene;
  readonly orders: Orders;
  /** Event numbers. The client resends events that were not acknowledged. */
  readonly acknowledged: number[];
  readonly unanswered: number[];
};

const idle: Stage[] = [];
const ends: (() => unknown)[] = [];
const turns = Array.from({ length: PROCESSES }, () => Promise.resolve());
let nextEvent = 0;

afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

async function openStage(): Promise<Stage> {
  const orders = ordersIn(await newDirectory('orders'));
  const hooks = {
    onTestFinished: (end: () => unknown) => void ends.push(end),
    onTestFailed: () => undefined,
  };
  const env = { ...orders.env, SPOOL_MAX_BYTES };
  const scene = await openScene(hooks as unknown as TestHooks, clickhouse().url, { env });
  return { scene, orders, acknowledged: [], unanswered: [] };
}

/**
 * Few processes serve many points: each is killed many times. A process whose test failed is not
 * reused.
 */
async function onStage(name: string, act: (stage: Stage) => Promise<void>): Promise<void> {
  const before = turns.shift()!;
  const { promise, resolve } = Promise.withResolvers<void>();
  turns.push(promise);
  await before;
  try {
    const stage = idle.pop() ?? (await openStage());
    await act(stage);
    await expectAllOnce(stage, name);
    idle.push(stage);
  } finally {
    resolve();
  }
}

async function isAcknowledged({ scene }: Stage, numbers: readonly number[]): Promise<boolean> {
  const texts = numbers.map(number => realisticEventText(realisticEvent(seed, number)));
  const answer = await postEvents(scene.ingest, scene.tenant.writeKey, texts).catch(
    () => undefined,
  );
  // 502 means that the spool is full, which some tests cause. All other responses must be 200.
  if (answer !== undefined) expect(answer.status === 502 ? 200 : answer.status).toBe(200);
  return answer?.status === 200;
}

/** Sends until the process has exited. */
async function sendUntilItDies(stage: Stage): Promise<void> {
  await eventually(
    async () => {
      const first = nextEvent;
      nextEvent += EVENTS_PER_BATCH;
      const numbers = Array.from({ length: EVENTS_PER_BATCH }, (_, i) => first + i);
      const heap = (await isAcknowledged(stage, numbers)) ? stage.acknowledged : stage.unanswered;
      heap.push(...numbers);
      expect(stage.scene.ingest.isRunning()).toBe(false);
    },
    { intervalMs: 25 },
  );
}

async function comeBack(stage: Stage): Promise<void> {
  stage.orders.takeBack();
  await stage.scene.restart();
}

async function expectAllOnce(stage: Stage, name: string): Promise<void> {
  const { scene, acknowledged, unanswered } = stage;
  for (let start = 0; start < unanswered.length; start += EVENTS_PER_BATCH) {
    const numbers = unanswered.slice(start, start + EVENTS_PER_BATCH);
    await eventually(async () => expect(await isAcknowledged(stage, numbers)).toBe(true));
  }
  await scene.settled();
  const { workspaceId } = scene.tenant;
  const idOf = (number: number) => realisticEvent(seed, number).messageId;
  const ids = [...acknowledged, ...unanswered].map(idOf);
  const hint = `${name}, seed ${seed}`;
  expect(await tally(clickhouse(), 'events', workspaceId, ids), hint).toEqual(EACH_ONCE);
  const repeated = new Set(unanswered.map(idOf));
  const raw = await tally(clickhouse(), 'events_raw', workspaceId, ids);
  const doubled = raw.doubled.filter(id => !repeated.has(id));
  expect({ ...raw, doubled }, hint).toEqual(EACH_ONCE);
  await expectValuesAsSent(clickhouse(), scene.tenant, seed);
}

const isChosen = (point: Point) => IS_LONG || point.isLong === undefined;

describe.concurrent('kill -9', { timeout: TIMEOUT_MS }, () => {
  test.for(WHILE_IT_RUNS.filter(isChosen))('$name', order =>
    onStage(order.name, async stage => {
      stage.orders.give(order);
      await sendUntilItDies(stage);
      expect(stage.orders.carriedOut()).toBe(order.name);
      await comeBack(stage);
    }),
  );

  test.for(WHILE_IT_STARTS.filter(isChosen))('$name', order =>
    onStage(order.name, async stage => {
      const { scene, orders } = stage;
      // Creates a file that waits to be sent, with a tail torn by a crash.
      scene.proxy.refuseConnections(true);
      const directory = logDirectory(scene.ingest);
      const before = (await readSegments(directory)).length;
      const sending = sendUntilItDies(stage);
      const filled = async () => (await readSegments(directory)).length;
      await eventually(async () => expect(await filled()).toBeGreaterThan(before));
      await scene.ingest.kill9();
      await sending;
      const { path, bytes, frames } = (await readSegments(directory)).at(-1)!;
      const { start, end } = frames.at(-1)!;
      await writeFile(
        path,
        Buffer.concat([bytes.subarray(0, end), bytes.subarray(start, end - 1)]),
      );
      orders.give(order);
      await expect(scene.ingest.restart()).rejects.toThrow('ingest/main.ts did not start');
      expect(orders.carriedOut()).toBe(order.name);
      scene.proxy.refuseConnections(false);
      await comeBack(stage);
    }),
  );

  test.for(Object.entries(WHILE_IT_INSERTS))('%s', ([name, killing]) =>
    onStage(name, async stage => {
      const { proxy, ingest } = stage.scene;
      const killed = createBarrier();
      proxy.onInsert = async exchange => {
        proxy.onInsert = pass;
        await killing(exchange, () => ingest.kill9());
        killed.open();
      };
      await sendUntilItDies(stage);
      await killed.wait();
      await comeBack(stage);
    }),
  );
});
