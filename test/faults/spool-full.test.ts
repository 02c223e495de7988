// The warehouse is unavailable until the spool is full, or the disk is full or fails. Requests are
// refused early and with a clear error, no acknowledged event is lost, and ingest recovers on its
// own.

import { expect, test } from 'vitest';
import { DISK_RESERVE_BYTES } from '../../ingest/limits.ts';
import { eventOf, newMessageId } from '../harness/batch.ts';
import { expectAccepted, expectProblem, postEvents, untilKnown } from '../harness/batch-client.ts';
import { EACH_ONCE, tally, untilDrained } from '../harness/copies.ts';
import { eventually } from '../harness/eventually.ts';
import { send } from '../harness/http.ts';
import { isReady } from '../harness/ingest-process.ts';
import { metrics, sumOf } from '../harness/metrics.ts';
import { useClickHouse } from '../harness/own-clickhouse.ts';
import { newDirectory } from '../harness/run-directory.ts';
import { mayMount, smallDisk } from '../harness/small-disk.ts';
import { type Order, ordersIn } from './orders.ts';
import { openScene, type Scene } from './scene.ts';

const SPOOL_BYTES_MAX = 1024 * 1024;
const EVENTS_PER_BATCH = 10;
/** Less than 10 KB, the maximum size of one value. */
const NOTE = 'n'.repeat(8_000);
/** Twice the spool's capacity. */
const BATCHES_MAX = (2 * SPOOL_BYTES_MAX) / (EVENTS_PER_BATCH * NOTE.length);

const clickhouse = useClickHouse();

async function sendBatch({ ingest, tenant }: Scene) {
  const ids = Array.from({ length: EVENTS_PER_BATCH }, newMessageId);
  const events = ids.map(id => eventOf(id, { properties: `{"note": "${NOTE}"}` }));
  return { ids, answer: await postEvents(ingest, tenant.writeKey, events) };
}

/** Sends until a batch is refused; returns the acknowledged IDs. */
async function fill(scene: Scene): Promise<string[]> {
  const acknowledged: string[] = [];
  for (let batches = 0; batches < BATCHES_MAX; batches++) {
    const { ids, answer } = await sendBatch(scene);
    if (answer.status !== 200) {
      expectProblem(answer, 502, 'CELL_UNAVAILABLE');
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      return acknowledged;
    }
    acknowledged.push(...ids);
  }
  throw new Error('never refused');
}

test.concurrent('502 with Retry-After; all acknowledged events arrive; then events are accepted again', async test => {
  const env = { SPOOL_MAX_BYTES: String(SPOOL_BYTES_MAX) };
  const scene = await openScene(test, clickhouse().url, { env });
  scene.proxy.refuseConnections(true);
  const ids = await fill(scene);
  // The spool is filled to its limit. The last batch may exceed it slightly.
  const bytes = sumOf(await metrics(scene.ingest), /^ingest_spool_bytes$/);
  expect(bytes).toBeGreaterThanOrEqual(SPOOL_BYTES_MAX);
  expect(bytes).toBeLessThan(SPOOL_BYTES_MAX + 2 * EVENTS_PER_BATCH * NOTE.length);
  // After a restart, the spool is as full as before.
  await scene.ingest.kill9();
  await scene.ingest.restart({}, false);
  await untilKnown(scene.ingest, scene.tenant.writeKey);
  expectProblem((await sendBatch(scene)).answer, 502, 'CELL_UNAVAILABLE');
  scene.proxy.refuseConnections(false);
  await eventually(async () => {
    const { ids: more, answer } = await sendBatch(scene);
    expectAccepted(answer, EVENTS_PER_BATCH);
    ids.push(...more);
  });
  await scene.settled();
  const { workspaceId } = scene.tenant;
  expect(await tally(clickhouse(), 'events_raw', workspaceId, ids)).toEqual(EACH_ONCE);
});

test.concurrent('the limit applies across all threads', async test => {
  const env = { SPOOL_MAX_BYTES: String(SPOOL_BYTES_MAX) };
  const scene = await openScene(test, clickhouse().url, { env, threads: 3 });
  scene.proxy.refuseConnections(true);
  const ids = await fill(scene);
  scene.proxy.refuseConnections(false);
  await scene.settled();
  const { workspaceId } = scene.tenant;
  expect(await tally(clickhouse(), 'events_raw', workspaceId, ids)).toEqual(EACH_ONCE);
});

/** Resends each batch until it is acknowledged; `see` inspects the refusals. */
async function persist(
  scene: Scene,
  see: (refusal: Awaited<ReturnType<typeof sendBatch>>['answer']) => void,
) {
  const { ids } = await eventually(async () => {
    const batch = await sendBatch(scene);
    if (batch.answer.status !== 200) see(batch.answer);
    expectAccepted(batch.answer, EVENTS_PER_BATCH);
    return batch;
  });
  return ids;
}

const MIB = 1024 * 1024;
/** Enough space for everything, and enough only for cursors. */
const ROOMY = DISK_RESERVE_BYTES + 44 * MIB;
const TIGHT = DISK_RESERVE_BYTES - 56 * MIB;
/** Smaller than a batch, so none fits, regardless of the space used by the directory itself. */
const NOTHING = 16 * 1024;

test.runIf(mayMount())(
  'a small disk fills up: refused before and when it is full, delivered meanwhile, then accepted again',
  { concurrent: true },
  async test => {
    const disk = await smallDisk(ROOMY);
    test.onTestFinished(() => disk.remove());
    const env = { DATA_DIR: disk.directory };
    const scene = await openScene(test, clickhouse().url, { env });
    const ids = [...(await persist(scene, expectNoRefusal))];
    disk.resize(TIGHT);
    const until = async (isRefused: boolean, codes: string[]) => {
      await eventually(async () => {
        const { ids: more, answer } = await sendBatch(scene);
        if (answer.status === 200) ids.push(...more);
        else expectToldToWait(answer, codes);
        expect(answer.status !== 200).toBe(isRefused);
      });
    };
    await until(true, ['CELL_UNAVAILABLE']);
    expect(await isReady(scene.ingest)).toBe(false);
    expect((await send(`${scene.ingest.url}/healthz`, { method: 'GET' })).status).toBe(200);
    // Rows that are already stored are still delivered.
    await untilDrained(scene.ingest);
    disk.resize(ROOMY);
    await until(false, ['CELL_UNAVAILABLE']);

    // The disk fills up faster than ingest checks its free space, so writes fail.
    scene.proxy.refuseConnections(true);
    ids.push(...(await persist(scene, expectNoRefusal)));
    disk.resize((await disk.usedBytes()) + NOTHING);
    await until(true, ['CELL_UNAVAILABLE', 'UNAVAILABLE']);
    await scene.ingest.kill9();
    await scene.ingest.restart({}, false);
    await untilKnown(scene.ingest, scene.tenant.writeKey);
    await until(true, ['CELL_UNAVAILABLE', 'UNAVAILABLE']);
    disk.resize(ROOMY);
    await until(false, ['CELL_UNAVAILABLE', 'UNAVAILABLE']);
    scene.proxy.refuseConnections(false);
    await scene.settled();
    const { workspaceId } = scene.tenant;
    expect(await tally(clickhouse(), 'events_raw', workspaceId, ids)).toEqual(EACH_ONCE);
  },
);

type Answer = Awaited<ReturnType<typeof sendBatch>>['answer'];

function expectNoRefusal(answer: Answer): never {
  throw new Error(`refused: ${answer.status} ${answer.text}`);
}

function expectToldToWait(answer: Answer, codes: readonly string[]): void {
  expect([502, 503]).toContain(answer.status);
  expect(codes).toContain(answer.json().code);
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
}

const SEGMENT = String.raw`/spool/default/0/\d+\.segment$`;
const FRAMES = { path: SEGMENT, isNew: true, isFirst: false } as const;
const EIO = { error: 'EIO' } as const;
const ENOSPC = { error: 'ENOSPC' } as const;
const FAILING: readonly (Order & { readonly isFelt: boolean })[] = [
  { name: 'syncs fail', kind: 'sync', ...FRAMES, action: EIO, isFelt: true },
  { name: 'writes fail', kind: 'write', ...FRAMES, action: ENOSPC, isFelt: true },
  { name: 'no file can be made', kind: 'create', path: SEGMENT, action: ENOSPC, isFelt: false },
  {
    name: 'no cursor can be saved',
    kind: 'write',
    path: String.raw`\.cursor\.draft$`,
    action: ENOSPC,
    isFelt: false,
  },
];

test.concurrent('a disk that fails in several ways: 503 for affected requests, and the process never exits', async test => {
  const orders = ordersIn(await newDirectory('orders'));
  const scene = await openScene(test, clickhouse().url, { env: orders.env });
  const ids: string[] = [];
  for (const { isFelt, ...order } of FAILING) {
    orders.give(order);
    await eventually(async () => {
      const { ids: more, answer } = await sendBatch(scene);
      if (answer.status === 200) ids.push(...more);
      else expectToldToWait(answer, ['UNAVAILABLE']);
      expect(orders.carriedOut()).toBe(order.name);
      expect(answer.status === 200).toBe(!isFelt);
    });
    orders.takeBack();
    ids.push(...(await persist(scene, answer => expectToldToWait(answer, ['UNAVAILABLE']))));
  }
  expect(scene.ingest.isRunning()).toBe(true);
  await scene.settled();
  const { workspaceId } = scene.tenant;
  expect(await tally(clickhouse(), 'events_raw', workspaceId, ids)).toEqual({
    ...EACH_ONCE,
    neverSent: expect.any(Array),
  });
});
