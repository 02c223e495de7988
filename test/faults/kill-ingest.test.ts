// kill -9 of ingest under load, at random moments. Whatever was acknowledged is on disk, so the
// next start delivers it; what was not is sent again by its client.

import { expect, test } from 'vitest';
import { liveTenant } from '../harness/batch-client.ts';
import { EACH_ONCE, sharedWarehouse, tally, untilDrained } from '../harness/copies.ts';
import { eventually } from '../harness/eventually.ts';
import { startIngest } from '../harness/ingest-process.ts';
import { createRandom } from '../harness/random.ts';
import { expectValuesAsSent, messageIds, startLoad } from './realistic-load.ts';

const IS_LONG = process.env.TEST_LONG !== undefined;
const EVENTS = IS_LONG ? 100_000 : 20_000;
const KILLS = IS_LONG ? 20 : 3;
const CONNECTIONS = 8;

test(`${EVENTS} events, ${KILLS} kills: every event is there once, with its values`, {
  timeout: IS_LONG ? 600_000 : 120_000,
}, async ({ onTestFinished }) => {
  const seed = Number(process.env.TEST_SEED ?? Date.now() % 1_000_000);
  const random = createRandom(seed);
  const ingest = await startIngest();
  onTestFinished(async () => void (await ingest.kill9()));
  const tenant = await liveTenant(ingest);
  const options = { seed, firstEvent: 0, events: EVENTS, connections: CONNECTIONS };
  const load = startLoad(ingest, tenant, options);
  const stretch = EVENTS / (KILLS + 1);
  for (let kill = 1; kill <= KILLS; kill++) {
    const moment = (kill - 1) * stretch + random.below(stretch);
    await eventually(() => expect(load.acknowledged()).toBeGreaterThan(moment), { intervalMs: 1 });
    await ingest.kill9();
    await ingest.restart();
  }
  await load.done;
  expect(load.retries()).toBeGreaterThanOrEqual(KILLS);
  await untilDrained(ingest);
  const ids = messageIds(seed, EVENTS);
  const found = await tally(sharedWarehouse, 'events', tenant.workspaceId, ids);
  expect(found, `seed ${seed}`).toEqual(EACH_ONCE);
  await expectValuesAsSent(sharedWarehouse, tenant, seed);
});
