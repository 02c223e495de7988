// A ClickHouse that loses power may lose rows that it has confirmed. Ingest keeps delivered
// segments for a while. After an outage, the inserter queries ClickHouse for each of them and
// resends the lost rows.

import { rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { EACH_ONCE, tally, untilDrained } from '../harness/copies.ts';
import { eventually } from '../harness/eventually.ts';
import { createBarrier, pass } from '../harness/fault-proxy.ts';
import { sumOf, untilMetrics } from '../harness/metrics.ts';
import { useClickHouse } from '../harness/own-clickhouse.ts';
import { openScene, type Scene } from './scene.ts';

/** A late event, a current one, and one from a client whose clock is a day ahead. */
const TIMESTAMPS = [0, Date.now(), Date.now() + 86_400_000].map(ms => new Date(ms).toISOString());
/** The partition of the second timestamp. */
const PARTITION = `(0, ${TIMESTAMPS[1]!.slice(0, 10).replaceAll('-', '')})`;

const clickhouse = useClickHouse();

/** Sends one block, and so one part, per timestamp. */
function sendBlocks(scene: Scene): Promise<string[]> {
  return scene.send(30, i => ({ timestamp: `"${TIMESTAMPS[i % TIMESTAMPS.length]}"` }));
}

async function outage(scene: Scene, loss: () => Promise<void>): Promise<string[]> {
  await clickhouse().kill9();
  await loss();
  const ids = await sendBlocks(scene);
  await untilMetrics(scene.ingest, samples =>
    expect(sumOf(samples, /^ingest_insert_failures_total$/)).toBeGreaterThan(0),
  );
  await clickhouse().start();
  return ids;
}

async function partPaths({ tenant }: Scene): Promise<string[]> {
  const parts = await clickhouse().rows<{ path: string }>(
    `SELECT path FROM system.parts
     WHERE table = 'events_raw' AND active AND name IN (
       SELECT _part FROM events_raw WHERE workspace_id = {workspaceId:UUID})`,
    { workspaceId: tenant.workspaceId },
  );
  return parts.map(part => part.path);
}

async function expectEachOnce({ tenant }: Scene, ids: readonly string[]): Promise<void> {
  await eventually(async () =>
    expect(await tally(clickhouse(), 'events_raw', tenant.workspaceId, ids)).toEqual(EACH_ONCE),
  );
  expect(await tally(clickhouse(), 'events', tenant.workspaceId, ids)).toEqual(EACH_ONCE);
}

test('partitions lost in an outage are sent again, the others are not', async test => {
  const scene = await openScene(test, clickhouse().url);
  const ids = await sendBlocks(scene);
  await untilDrained(scene.ingest);
  await expectEachOnce(scene, ids);
  await clickhouse().command(`ALTER TABLE events_raw DROP PARTITION ${PARTITION}`);
  const { missing } = await tally(clickhouse(), 'events_raw', scene.tenant.workspaceId, ids);
  expect(missing.length).toBe(ids.length / TIMESTAMPS.length);
  ids.push(...(await outage(scene, () => Promise.resolve())));
  await expectEachOnce(scene, ids);
});

test('ingest also checks for lost parts at startup', async test => {
  const scene = await openScene(test, clickhouse().url);
  const ids = await sendBlocks(scene);
  await untilDrained(scene.ingest);
  await scene.ingest.kill9();
  await clickhouse().command('TRUNCATE TABLE events_raw');
  await scene.restart();
  ids.push(...(await sendBlocks(scene)));
  await expectEachOnce(scene, ids);
});

test('ingest checks at startup even with nothing to send', async test => {
  const scene = await openScene(test, clickhouse().url);
  const ids = await sendBlocks(scene);
  await untilDrained(scene.ingest);
  await scene.ingest.kill9();
  await clickhouse().command(`ALTER TABLE events_raw DROP PARTITION ${PARTITION}`);
  await scene.restart();
  await expectEachOnce(scene, ids);
});

test('a restart of ClickHouse is detected even if no insert fails', async test => {
  const scene = await openScene(test, clickhouse().url);
  let asked = 0;
  scene.proxy.onQuestion = exchange => {
    asked++;
    return pass(exchange);
  };
  const ids = await sendBlocks(scene);
  await untilDrained(scene.ingest);
  // The check after ingest's own start is complete, so the next one must have another cause.
  await eventually(() => expect(asked).toBe(TIMESTAMPS.length));
  await expectEachOnce(scene, ids);
  await clickhouse().command(`ALTER TABLE events_raw DROP PARTITION ${PARTITION}`);
  await clickhouse().kill9();
  await clickhouse().start();
  await expectEachOnce(scene, ids);
});

test('a part is lost, but the log of deduplication tokens is not', async test => {
  const scene = await openScene(test, clickhouse().url);
  const ids = await sendBlocks(scene);
  await untilDrained(scene.ingest);
  await expectEachOnce(scene, ids);
  const paths = await partPaths(scene);
  expect(paths.length).toBe(TIMESTAMPS.length);
  const later = await outage(scene, () => rm(paths[1]!, { recursive: true }));
  await expectEachOnce(scene, [...ids, ...later]);
});

test('a response and its part are lost, but not the token', async test => {
  const scene = await openScene(test, clickhouse().url);
  const committed = createBarrier();
  scene.proxy.onInsert = async exchange => {
    await exchange.forward();
    await committed.wait();
    exchange.cut();
  };
  const ids = await scene.send(10);
  await committed.reached;
  const paths = await partPaths(scene);
  expect(paths.length).toBe(1);
  await clickhouse().kill9();
  await rm(paths[0]!, { recursive: true });
  await clickhouse().start();
  scene.proxy.onInsert = pass;
  committed.open();
  await scene.settled();
  await expectEachOnce(scene, ids);
});
