// Exactly once, on a disk that forgets what was not synced and a warehouse that fails in every way
// an HTTP client can meet. Each protection is also taken out, and must then be missed.
// A failing seed is run alone by SEED=n.

import { describe, expect, it } from 'vitest';
import { type SimulationOptions, simulate } from './simulate.ts';

const isLong = process.env.TEST_LONG === '1';
const SEEDS = isLong ? 4_000 : 80;
/** A missing protection shows within a few lives. */
const SEEDS_WITHOUT_PROTECTION = 60;
const onlySeed = process.env.SEED;

const WORLDS: Record<string, SimulationOptions> = {
  'power losses and a failing warehouse': {},
  'a disk that fails and fills up': { hasDiskFaults: true },
  'rows that the warehouse refuses': { hasPoison: true },
  'refused rows on a failing disk': { hasPoison: true, hasDiskFaults: true },
  'retries after the deduplication window': { forgetsTokens: true },
  'the same on a failing disk': { forgetsTokens: true, hasDiskFaults: true },
  'tokens that are logged without their rows': { logsTokensEarly: true, hasDiskFaults: true },
};

const WITHOUT: Record<string, SimulationOptions> = {
  'the sync of the file': { disk: { datasync: false, syncDirectory: true } },
  'the sync of the directory': { disk: { datasync: true, syncDirectory: false } },
  'the deduplication token': { warehouse: { token: false, probe: true } },
  'the probe': { warehouse: { token: true, probe: false }, forgetsTokens: true },
};

describe.each(Object.entries(WORLDS))('with %s', (_, options) => {
  it('every acknowledged event is stored once, as sent, and nothing else', {
    timeout: 600_000,
  }, async () => {
    const seeds = onlySeed ? [Number(onlySeed)] : Array.from({ length: SEEDS }, (_, i) => i + 1);
    for (const seed of seeds) expect(await simulate(seed, options), `SEED=${seed}`).toEqual([]);
  });
});

describe.each(Object.entries(WITHOUT))('without %s', (_, options) => {
  it('some life breaks the promise', { timeout: 120_000 }, async () => {
    let broken = 0;
    for (let seed = 1; seed <= SEEDS_WITHOUT_PROTECTION && broken === 0; seed++)
      broken += (await simulate(seed, options)).length;
    expect(broken).toBeGreaterThan(0);
  });
});
