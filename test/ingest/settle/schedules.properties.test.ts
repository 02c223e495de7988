// Each workspace has its own schedule of events: sent, repeated, late and inserted. The view is
// queried after each step. A failure prints the seed: TEST_SEED=… runs only that one.

import { expect, test } from 'vitest';
import { useClickHouse } from '../../harness/own-clickhouse.ts';
import { createRandom } from '../../harness/random.ts';
import { World } from './world.ts';

const clickhouse = useClickHouse();
const isLong = process.env.TEST_LONG === '1';
const one = process.env.TEST_SEED;
const SEED = Number(one ?? Math.floor(Math.random() * 2 ** 31));
const WORLDS = one === undefined && isLong ? 20 : 1;
const WORKSPACES = isLong ? 500 : 40;
const STEPS = isLong ? 50 : 30;
/** In one of this many worlds, ClickHouse itself is killed between two steps. */
const WORLDS_PER_KILL = 4;

test(`each event is visible once after each step (TEST_SEED=${SEED}, ${WORLDS * WORKSPACES} schedules)`, {
  timeout: isLong ? 3_600_000 : 600_000,
}, async () => {
  const ends = { complete: 0, 'cut off': 0 };
  for (let seed = SEED; seed < SEED + WORLDS; seed++) {
    const random = createRandom(seed);
    const world = new World(clickhouse(), random, WORKSPACES);
    await world.empty();
    const killAt = (seed - SEED) % WORLDS_PER_KILL === WORLDS_PER_KILL - 1 ? STEPS / 2 : -1;
    for (let step = 0; step < STEPS; step++) {
      if (step === killAt) {
        await clickhouse().kill9();
        await clickhouse().start();
      }
      await world.advance();
      expect(await world.violations(), `TEST_SEED=${seed}, step ${step}: inserted`).toEqual([]);
      if (random.below(2) === 0) ends[await world.settle()]++;
      expect(await world.violations(), `TEST_SEED=${seed}, step ${step}: settled`).toEqual([]);
    }
    // When everything is settled, queries have nothing left to deduplicate.
    world.nowMs += 48 * 3_600_000;
    while ((await world.settle()) === 'cut off');
    expect(await world.violations(), `TEST_SEED=${seed}: at the end`).toEqual([]);
  }
  // A single short world may have no cut-off run.
  if (isLong) expect(ends['cut off']).toBeGreaterThan(WORLDS);
});
