// Random kills of any process, brokers included, at most one broker at a time: every acknowledged
// event is stored once. Two minutes in the long run.

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
const KILLS = IS_LONG ? 40 : 8;
/** The most answers between two kills, and between a kill and a start. */
const ANSWERS_MAX = 300;

describe.skipIf(!hasBrokers())('random kills', () => {
  const brokers = useBrokers();

  test('every acknowledged event is stored once', { timeout: 600_000 }, async context => {
    const random = createRandom(IS_LONG ? Date.now() % 1_000_000 : 7);
    const env = logEnvironment(brokers());
    const nodes = await Promise.all(
      ['accept', 'accept', 'insert', 'insert'].map(INGEST_ROLE =>
        startNode(context, { threads: 1, env: { ...env, INGEST_ROLE } }),
      ),
    );
    const accepting = nodes.slice(0, 2);
    const tenant = await liveTenant(accepting[0]!);
    const traffic = startTraffic(accepting, tenant);
    for (let kills = 0; kills < KILLS; kills++) {
      await traffic.untilAnswers(random.below(ANSWERS_MAX));
      await killOne(random, brokers(), nodes, traffic);
    }
    await traffic.untilAcknowledged(50);
    await traffic.stop();
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
