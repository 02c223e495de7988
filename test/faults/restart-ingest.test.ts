// Ingest ends under load: by kill -9 at random moments, and by SIGTERM, one node after the other.
// Acknowledged events are on disk, so the next start delivers them. Clients resend all other events
// to any node that responds.

import { describe, expect, test } from 'vitest';
import { liveTenant, untilKnown } from '../harness/batch-client.ts';
import { EACH_ONCE, sharedWarehouse, tally, untilDrained } from '../harness/copies.ts';
import { eventually } from '../harness/eventually.ts';
import { type IngestProcess, startIngest } from '../harness/ingest-process.ts';
import { createRandom } from '../harness/random.ts';
import { expectValuesAsSent, type Load, messageIds, startLoad } from './realistic-load.ts';
import type { TestHooks } from './scene.ts';
import { unsentSegments } from './spool-files.ts';

const IS_LONG = process.env.TEST_LONG !== undefined;
const EVENTS = IS_LONG ? 150_000 : 12_000;
const KILLS = IS_LONG ? 200 : 3;
const ROLLS = IS_LONG ? 20 : 3;
const CONNECTIONS = 8;
const THREADS = 2;
const TIMEOUT_MS = IS_LONG ? 1_800_000 : 600_000;

const seed = Number(process.env.TEST_SEED ?? Date.now() % 1_000_000);

async function startNode({ onTestFinished }: TestHooks): Promise<IngestProcess> {
  const ingest = await startIngest({ threads: THREADS });
  onTestFinished(async () => void (await ingest.kill9()));
  return ingest;
}

/** Divides the load into this number of stretches, and calls `act` at a random moment in each. */
async function duringLoad(load: Load, times: number, act: (time: number) => Promise<void>) {
  const random = createRandom(load.seed);
  const stretch = EVENTS / (times + 1);
  for (let time = 0; time < times; time++) {
    const moment = time * stretch + random.below(stretch);
    await eventually(() => expect(load.acknowledged()).toBeGreaterThan(moment), {
      intervalMs: 1,
      deadlineMs: TIMEOUT_MS,
    });
    await act(time);
  }
  await load.done;
}

async function expectAllOnce(tenant: Parameters<typeof expectValuesAsSent>[1], loadSeed: number) {
  const ids = messageIds(loadSeed, EVENTS);
  const found = await tally(sharedWarehouse, 'events', tenant.workspaceId, ids);
  expect(found, `seed ${loadSeed}`).toEqual(EACH_ONCE);
  await expectValuesAsSent(sharedWarehouse, tenant, loadSeed);
}

describe.concurrent(`${EVENTS} events: each is stored once, with its values`, () => {
  test(`${KILLS} times kill -9`, { timeout: TIMEOUT_MS }, async hooks => {
    const ingest = await startNode(hooks);
    const tenant = await liveTenant(ingest);
    const options = { seed, firstEvent: 0, events: EVENTS, connections: CONNECTIONS };
    const load = startLoad(ingest, tenant, options);
    await duringLoad(load, KILLS, async () => {
      await ingest.kill9();
      await ingest.restart();
    });
    expect(load.retries()).toBeGreaterThanOrEqual(KILLS);
    await untilDrained(ingest);
    await expectAllOnce(tenant, seed);
  });

  test(`${ROLLS} times SIGTERM, of two nodes in turn`, { timeout: TIMEOUT_MS }, async hooks => {
    const nodes = await Promise.all([startNode(hooks), startNode(hooks)]);
    const tenant = await liveTenant(nodes[0]);
    await untilKnown(nodes[1], tenant.writeKey);
    let [turn, emptied] = [0, 0];
    // A client that alternates between the nodes: if one refuses a batch, the other accepts it.
    const either = {
      get url() {
        return nodes[turn++ % nodes.length]!.url;
      },
    };
    const options = { seed: seed + 1, firstEvent: 0, events: EVENTS, connections: CONNECTIONS };
    const load = startLoad(either, tenant, options);
    await duringLoad(load, ROLLS, async time => {
      const node = nodes[time % nodes.length]!;
      expect(await node.stop(), node.logs()).toEqual({ code: 0, signal: null });
      if ((await unsentSegments(node, THREADS)).length === 0) emptied++;
      await node.restart();
    });
    // Each node delivers its data before it exits, unless a busy machine leaves no time for it.
    expect(emptied).toBeGreaterThan(0);
    for (const node of nodes) await untilDrained(node);
    await expectAllOnce(tenant, seed + 1);
  });
});
