// The published client against a real service: each event is stored once, regardless of what happens
// to the page, the network and the service.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { liveTenant } from '../harness/batch-client.ts';
import { eventually } from '../harness/eventually.ts';
import { useIngest } from '../harness/ingest-process.ts';
import { countEvents, rows } from '../harness/warehouse.ts';
import { type BadNetwork, startBadNetwork } from './bad-network.ts';
import { storedIn, untilReady, useShops } from './shop.ts';

const IS_LONG = process.env.TEST_LONG === '1';
const SEED = Number(process.env.TEST_SEED ?? 7);
const NODE_EVENTS = IS_LONG ? 100_000 : 3_000;
const NODE_BYTES_MAX = 256 * 1024 * 1024;

const ingest = useIngest({ threads: 1 });
const openShop = useShops();
let network: BadNetwork;
beforeAll(async () => {
  network = await startBadNetwork(ingest().url, SEED);
});
afterAll(async () => {
  await network?.close();
});

test('a page sends 1,000 events during every kind of fault, and each is stored once', async () => {
  const { workspaceId, writeKey } = await liveTenant(ingest());
  const shop = await openShop({ host: network.url, writeKey });
  let sent = 0;
  const track = async (page: Page, count: number) => {
    const first = sent;
    sent += count;
    await page.evaluate(
      `for (let i = ${first}; i < ${sent}; i++) engagement('track', 'Clicked', { number: i })`,
    );
  };

  // From the first moment, before the script has loaded.
  network.latencyMs = 500;
  let page = await shop.openEarly();
  await track(page, 100);
  // Reloaded in the middle of a request.
  await eventually(() => expect(network.batches.length).toBeGreaterThan(0));
  await page.reload();
  await track(page, 150);
  await page.reload();
  // Closed at once, with the time that a browser gives it.
  await untilReady(page);
  await track(page, 150);
  await page.close({ runBeforeUnload: true });

  // Offline, and the browser ends the tab without telling it.
  page = await shop.open();
  await shop.context.setOffline(true);
  await track(page, 200);
  await eventually(async () => expect(await storedIn(page, writeKey)).toBeGreaterThanOrEqual(200));
  await page.close();
  await shop.context.setOffline(false);

  // Two tabs at a time, and every third answer fails.
  network.latencyMs = 20;
  network.failing = 0.3;
  const pages = [await shop.open(), await shop.open()];
  await Promise.all(pages.map(one => track(one, 100)));
  await pages[0]!.close({ runBeforeUnload: true });

  // The service dies and comes back elsewhere.
  page = pages[1]!;
  await track(page, 100);
  await ingest().kill9();
  await track(page, 100);
  await ingest().restart();
  network.target = ingest().url;
  network.failing = 0;
  // What the closed tab could neither store nor send is sent by the next page.
  page = await shop.open();
  await page.evaluate(`engagement('flush')`);

  expect(sent).toBe(1_000);
  expect(await storedIn(page, writeKey)).toBe(0);
  await expectNumbers(workspaceId, sent);
  expect(shop.thrown).toEqual([]);
  // What a batch may have, in requests that no other one goes before.
  expect(network.preflights).toBe(0);
  for (const { events } of network.batches) expect(events).toBeLessThanOrEqual(100);
});

test(`a Node program sends ${NODE_EVENTS} events while the service is killed, and ends`, async () => {
  const { workspaceId, writeKey } = await liveTenant(ingest());
  network.latencyMs = 0;
  const before = network.batches.length;
  const kills = IS_LONG ? [50, 300, 600] : [8];
  const child = spawn(process.execPath, [join(import.meta.dirname, 'many-events.mjs')], {
    env: { HOST: network.url, WRITE_KEY: writeKey, EVENTS: String(NODE_EVENTS) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [output, [code]] = await Promise.all([
    text(child.stdout),
    once(child, 'exit') as Promise<[number | null]>,
    (async () => {
      for (const kill of kills) {
        await eventually(() => expect(network.batches.length - before).toBeGreaterThan(kill), {
          intervalMs: 5,
        });
        await ingest().kill9();
        await ingest().restart();
        network.target = ingest().url;
      }
    })(),
  ]);
  const { waiting, peakKiB, problems } = JSON.parse(output) as Ending;
  expect([code, waiting, problems]).toEqual([0, 0, []]);
  process.stdout.write(`${NODE_EVENTS} events: at most ${Math.round(peakKiB / 1024)} MB\n`);
  expect(peakKiB * 1024).toBeLessThan(NODE_BYTES_MAX);
  await expectNumbers(workspaceId, NODE_EVENTS);
});

type Ending = { waiting: number; peakKiB: number; problems: string[] };

/** Each of the numbers from 0 is that of one event. */
async function expectNumbers(workspaceId: string, count: number): Promise<void> {
  await eventually(async () => {
    const [row] = await rows<Record<'events' | 'ids' | 'numbers' | 'last', string | number>>(
      `SELECT count() AS events, uniqExact(message_id) AS ids,
         uniqExact(JSONExtractInt(properties, 'number')) AS numbers,
         max(JSONExtractInt(properties, 'number')) AS last
       FROM events WHERE workspace_id = {workspaceId:UUID}`,
      { workspaceId },
    );
    expect(Object.values(row!).map(Number)).toEqual([count, count, count, count - 1]);
  });
  expect(await countEvents(workspaceId)).toBe(count);
}
