// ClickHouse is killed under load and during an insert, and is unavailable for longer than its
// deduplication window. Acknowledgements depend only on ingest's own disk, so they continue; once
// ClickHouse is back, it receives exactly the missing rows. Rows are counted in events_raw, with
// merges stopped: no client sends anything twice here, so no row may be duplicated.

import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { liveTenant } from '../harness/batch-client.ts';
import { EACH_ONCE, tally, untilDrained } from '../harness/copies.ts';
import { eventually } from '../harness/eventually.ts';
import { answerNone, createBarrier, pass } from '../harness/fault-proxy.ts';
import { startIngest } from '../harness/ingest-process.ts';
import { metrics, sumOf, untilMetrics } from '../harness/metrics.ts';
import { useClickHouse } from '../harness/own-clickhouse.ts';
import { createRandom } from '../harness/random.ts';
import { newDirectory } from '../harness/run-directory.ts';
import { mayMount, type SmallDisk, smallDisk } from '../harness/small-disk.ts';
import { expectValuesAsSent, messageIds, startLoad } from './realistic-load.ts';
import { openScene, type TestHooks } from './scene.ts';

const IS_LONG = process.env.TEST_LONG !== undefined;
const KILLS = IS_LONG ? 20 : 3;
/** Sent while ClickHouse runs, and again while it is unavailable. */
const EVENTS_PER_PHASE = 3_000;
const CONNECTIONS = 8;
/**
 * A segment is sealed and inserted about once a second; the kill falls at a random point of that.
 */
const MOMENT_MS_MAX = 1_500;

const MIB = 1024 * 1024;
const ROOMY = 4096 * MIB;
const MAY_MOUNT = mayMount();

let disk: SmallDisk | undefined;
const clickhouse = useClickHouse(async () => {
  if (!MAY_MOUNT) return newDirectory('own-clickhouse');
  disk = await smallDisk(ROOMY);
  return disk.directory;
});
afterAll(() => disk?.remove());

test(`${KILLS} kills: requests are acknowledged throughout, and every event is stored once`, async ({
  onTestFinished,
}) => {
  const seed = Number(process.env.TEST_SEED ?? Date.now() % 1_000_000);
  const random = createRandom(seed);
  const ingest = await startIngest({ env: { CLICKHOUSE_URL: clickhouse().url } });
  onTestFinished(async () => void (await ingest.kill9()));
  const tenant = await liveTenant(ingest);
  let [sent, felt] = [0, 0];
  const load = () => {
    const options = { seed, firstEvent: sent, events: EVENTS_PER_PHASE, connections: CONNECTIONS };
    sent += EVENTS_PER_PHASE;
    return startLoad(ingest, tenant, options);
  };
  for (let kill = 1; kill <= KILLS; kill++) {
    const running = load();
    await new Promise(resolve => setTimeout(resolve, random.below(MOMENT_MS_MAX)));
    await clickhouse().kill9();
    const away = load();
    await Promise.all([running.done, away.done]);
    expect(running.retries() + away.retries()).toBe(0);
    const failures = /^ingest_insert_failures_total$/;
    await untilMetrics(ingest, samples => expect(sumOf(samples, failures)).toBeGreaterThan(felt));
    felt = sumOf(await metrics(ingest), failures);
    await clickhouse().start();
  }
  await untilDrained(ingest);
  const ids = messageIds(seed, sent);
  const { workspaceId } = tenant;
  const raw = await tally(clickhouse(), 'events_raw', workspaceId, ids);
  expect(raw, `seed ${seed}`).toEqual(EACH_ONCE);
  expect(await tally(clickhouse(), 'events', workspaceId, ids)).toEqual(EACH_ONCE);
  await expectValuesAsSent(clickhouse(), tenant, seed);
});

test('killed during an insert: all of its rows are stored once', async test => {
  const scene = await openScene(test, clickhouse().url);
  await clickhouse().command(
    'ALTER TABLE events_raw ADD CONSTRAINT slow CHECK sleepEachRow(0.1) = 0',
  );
  const ids = await scene.send(20);
  await eventually(
    async () => {
      const running = await clickhouse().rows(
        `SELECT query_id FROM system.processes WHERE query LIKE 'INSERT INTO events_raw%'`,
      );
      expect(running.length).toBe(1);
    },
    { intervalMs: 20 },
  );
  await clickhouse().kill9();
  ids.push(...(await scene.send(20)));
  await clickhouse().start();
  await clickhouse().command('ALTER TABLE events_raw DROP CONSTRAINT slow');
  await scene.settled();
  const { workspaceId } = scene.tenant;
  expect(await tally(clickhouse(), 'events_raw', workspaceId, ids)).toEqual(EACH_ONCE);
});

/** Space for nothing, and space for the uploaded rows but not for the part built from them. */
const ROOM_LEFT = [64 * 1024, 4 * MIB];

test.runIf(MAY_MOUNT)(
  'its disk is full: requests are still acknowledged, and delivered once there is space',
  async test => {
    const scene = await openScene(test, clickhouse().url);
    const { ingest, tenant, proxy } = scene;
    const ids: string[] = [];
    // A payload that hardly compresses.
    const noise = () => `{"noise": "${randomBytes(4_000).toString('hex')}"}`;
    const failures = async () => sumOf(await metrics(ingest), /^ingest_insert_failures_total$/);
    for (const room of ROOM_LEFT) {
      proxy.refuseConnections(true);
      for (let batch = 0; batch < 8; batch++)
        ids.push(...(await scene.send(50, () => ({ properties: noise() }))));
      disk!.resize((await disk!.usedBytes()) + room);
      const felt = await failures();
      proxy.refuseConnections(false);
      // The errors of the refused connection and of the full disk.
      await eventually(async () => expect(await failures()).toBeGreaterThanOrEqual(felt + 2));
      ids.push(...(await scene.send(10)));
      disk!.resize(ROOMY);
      await scene.settled();
    }
    expect(await tally(clickhouse(), 'events_raw', tenant.workspaceId, ids)).toEqual(EACH_ONCE);
    expect(sumOf(await metrics(ingest), /^ingest_rows_parked_total$/)).toBe(0);
  },
);

describe.concurrent('an outage longer than the deduplication window of ClickHouse', () => {
  /**
   * The window that the migrations set. With merges stopped, filling it with small parts would take
   * hours, so the tests use a smaller one.
   */
  const FULL_WINDOW = 10_000;
  const window = IS_LONG ? 1_000 : 3;
  const COMMITTED = 10;

  beforeAll(() => setWindow(window));
  afterAll(() => setWindow(FULL_WINDOW));

  /**
   * The block is committed but its response is lost. Then enough other blocks are inserted for
   * ClickHouse to forget its token.
   */
  async function outlast(test: TestHooks, isAsked: boolean) {
    const scene = await openScene(test, clickhouse().url);
    const { proxy, tenant } = scene;
    const committed = createBarrier();
    proxy.onInsert = async exchange => {
      await exchange.forward();
      await committed.wait();
      exchange.cut();
    };
    const ids = await scene.send(COMMITTED);
    await committed.reached;
    proxy.refuseConnections(true);
    committed.open();
    ids.push(...(await scene.send(10)));
    // Spread over several partitions, because the number of parts per partition is limited.
    for (let others = 0; others <= window; others++)
      await clickhouse().command(
        `INSERT INTO events_raw (workspace_id, timestamp)
         VALUES (generateUUIDv4(), '${2016 + (others % 30)}-01-01 00:00:00.000')`,
      );
    proxy.onInsert = pass;
    if (!isAsked) proxy.onQuestion = answerNone;
    proxy.refuseConnections(false);
    await scene.settled();
    const found = await tally(clickhouse(), 'events_raw', tenant.workspaceId, ids);
    return { found, committed: ids.slice(0, COMMITTED) };
  }

  const timeout = IS_LONG ? 900_000 : 600_000;

  test('each event is stored once, because the inserter queries for its rows', {
    timeout,
  }, async test => {
    const { found } = await outlast(test, true);
    expect(found).toEqual(EACH_ONCE);
  });

  test('without the query, each event would be stored twice', { timeout }, async test => {
    const { found, committed } = await outlast(test, false);
    // The other block is stored twice as well if it was first sent during the outage.
    expect(found).toEqual({ ...EACH_ONCE, doubled: expect.arrayContaining(committed) });
  });
});

async function setWindow(blocks: number): Promise<void> {
  await clickhouse().command(
    `ALTER TABLE events_raw MODIFY SETTING non_replicated_deduplication_window = ${blocks}`,
  );
}
