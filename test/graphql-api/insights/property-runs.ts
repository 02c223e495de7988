// Checks a property for many random data sets, each in its own workspace. One insert writes many of
// them.

import { createRandom, type Random } from '../../harness/random.ts';
import { createTenant } from '../../harness/tenant.ts';
import { insertRows } from '../harness/report-rows.ts';
import { type DataSet, randomRows } from './data-set.ts';

export const isLong = process.env.TEST_LONG === '1';
const one = process.env.TEST_SEED;
export const SEED = Number(one ?? Math.floor(Math.random() * 2 ** 31));
export const DATA_SETS = one === undefined ? (isLong ? 1_000 : 10) : 1;
/** Inputs per data set. */
const INPUTS = 2;
const AT_ONCE = 50;

export const RUNS_TIMEOUT = isLong ? 3_600_000 : 600_000;

/** The error message of a failure contains its seed. */
export async function forRandomData(
  check: (random: Random, data: DataSet) => Promise<void>,
): Promise<void> {
  for (let first = 0; first < DATA_SETS; first += AT_ONCE) {
    const seeds = Array.from(
      { length: Math.min(AT_ONCE, DATA_SETS - first) },
      (_, n) => SEED + first + n,
    );
    const sets = await Promise.all(
      seeds.map(async seed => {
        const [random, tenant] = [createRandom(seed), await createTenant()];
        return { seed, random, tenant, rows: randomRows(random, tenant) };
      }),
    );
    await insertRows(
      'events_raw',
      sets.flatMap(({ rows }) => rows),
    );
    for (const { seed, random, ...data } of sets) await checkOne(seed, () => check(random, data));
  }
}

async function checkOne(seed: number, check: () => Promise<void>): Promise<void> {
  try {
    for (let input = 0; input < INPUTS; input++) await check();
  } catch (error) {
    throw new Error(`TEST_SEED=${seed} fails: ${(error as Error).message}`, { cause: error });
  }
}
