// kill -9 of ClickHouse under load, at random moments. Acknowledgements rest on ingest's own disk,
// so they go on; when ClickHouse is back on its port, it is told what it has missed, and no more.
// Counted on events_raw, with merges stopped: no client repeats anything here, so no row may double.

import { expect, test } from 'vitest';
import { liveTenant } from '../harness/batch-client.ts';
import { EACH_ONCE, tally, untilDrained } from '../harness/copies.ts';
import { startIngest } from '../harness/ingest-process.ts';
import { metrics, sumOf, untilMetrics } from '../harness/metrics.ts';
import { useClickHouse } from '../harness/own-clickhouse.ts';
import { createRandom } from '../harness/random.ts';
import { expectValuesAsSent, messageIds, startLoad } from './realistic-load.ts';

const IS_LONG = process.env.TEST_LONG !== undefined;
const KILLS = IS_LONG ? 20 : 3;
/** While it runs, and again while it is away. */
const EVENTS_PER_PHASE = 3_000;
const CONNECTIONS = 8;
/** A segment is sealed and inserted about each second: somewhere in that time falls the kill. */
const MOMENT_MS_MAX = 1_500;

const clickhouse = useClickHouse();

test(`${KILLS} kills: acknowledged throughout, and every event is there once`, {
  timeout: IS_LONG ? 600_000 : 120_000,
}, async ({ onTestFinished }) => {
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
