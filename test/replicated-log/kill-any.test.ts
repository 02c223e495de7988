// Random kills of any process, brokers included, at most one broker at a time: every acknowledged
// event is stored once. The long run takes two minutes, at more than 2,000 events/s on two idle cores.

import { describe, test } from 'vitest';
import { liveTenant } from '../harness/batch-client.ts';
import { type Brokers, hasBrokers } from '../harness/brokers.ts';
import { sharedWarehouse } from '../harness/copies.ts';
import type { IngestProcess } from '../harness/ingest-process.ts';
import { createRandom, type Random } from '../harness/random.ts';
import {
  expectEachOnce,
  logEnvironment,
  startNode,
  startTraffic,
  type Traffic,
  useBrokers,
} from './scene.ts';

const IS_LONG = process.env.TEST_LONG === '1';
const KILLS = 8;
const LONG_MS = 120_000;
const EVENTS_PER_BATCH = IS_LONG ? 25 : 5;
/** The most answers between two kills, and between a kill and a start. */
const ANSWERS_MAX = 300;

describe.skipIf(!hasBrokers())('random kills', () => {
  const brokers = useBrokers();

  test('every acknowledged event is stored once', async context => {
    const random = createRandom(IS_LONG ? Date.now() % 1_000_000 : 7);
    const env = logEnvironment(brokers());
    const nodes = await Promise.all(
      ['accept', 'accept', 'insert', 'insert'].map(INGEST_ROLE =>
        startNode(context, { threads: 1, env: { ...env, INGEST_ROLE } }),
      ),
    );
    const accepting = nodes.slice(0, 2);
    const tenant = await liveTenant(accepting[0]!);
    const traffic = startTraffic(accepting, tenant, EVENTS_PER_BATCH);
    const startedMs = performance.now();
    const isOver = (kills: number) =>
      IS_LONG ? performance.now() - startedMs > LONG_MS : kills === KILLS;
    let kills = 0;
    for (; !isOver(kills); kills++) {
      await traffic.untilAnswers(random.below(ANSWERS_MAX));
      await killOne(random, brokers(), nodes, traffic);
    }
    await traffic.untilAcknowledged(50);
    await traffic.stop();
    const seconds = (performance.now() - startedMs) / 1000;
    process.stdout.write(
      `random kills: ${kills}; ${traffic.acknowledged.length} events acknowledged in ${seconds.toFixed(0)} s; ${traffic.refused()} requests refused\n`,
    );
    await expectEachOnce(sharedWarehouse, tenant, traffic.acknowledged);
  });
});

/** The next kill follows only when it is back, so at most one broker is away. */
async function killOne(
  random: Random,
  brokers: Brokers,
  nodes: readonly IngestProcess[],
  traffic: Traffic,
): Promise<void> {
  const victim = random.below(brokers.count + nodes.length);
  if (victim < brokers.count) {
    await brokers.kill9(victim);
    await traffic.untilAnswers(random.below(ANSWERS_MAX));
    await brokers.start(victim);
    return;
  }
  const node = nodes[victim - brokers.count]!;
  await node.kill9();
  await traffic.untilAnswers(random.below(ANSWERS_MAX));
  await node.restart({}, false);
}
