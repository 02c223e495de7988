// Invariants 1, 2, 3 and 7, on a disk that loses what was not synced, with a warehouse and a
// Postgres that fail in every way that a client can observe. Each protection is also removed, which
// must lead to violations. A failure prints the command that runs only its life.

import { describe, expect, it } from 'vitest';
import { replayCallCommand, replayCommand } from './run.ts';
import { live, simulate } from './simulate.ts';
import { SHORT_LIFE, WAITING_WORLDS, WORLDS, WORLDS_WITHOUT } from './worlds.ts';

const isLong = process.env.TEST_LONG === '1';
const SEEDS = isLong ? 600 : 20;
/** In these lives, each call to the disk fails in turn, first once and then permanently. */
const SHORT_SEEDS = isLong ? 60 : 2;
const SEEDS_WITH_GROUPS = 10;
/** A missing protection is detected within a few lives. */
const SEEDS_WITHOUT_PROTECTION = 60;

describe.each(Object.entries(WORLDS))('with %s', (world, options) => {
  it('every acknowledged event is stored once, as sent, and nothing else', async () => {
    for (let seed = 1; seed <= SEEDS; seed++)
      expect(await simulate(seed, options), replayCommand(seed, world)).toEqual([]);
  });
});

/** Lives beyond the short run that once violated an invariant. */
const ONCE_BROKEN: readonly (readonly [world: string, seed: number])[] = [
  // The cursor could not be written while kept segments were verified, so both sent the same block.
  ['hours without databases, restarts and a failing disk', 232],
];

it.each(ONCE_BROKEN)('%s: run %i violates no invariant', async (world, seed) => {
  expect(await simulate(seed, WORLDS[world]!), replayCommand(seed, world)).toEqual([]);
});

describe.each(Object.entries(WAITING_WORLDS))('with %s', (_, options) => {
  it('some segments are inserted together', async () => {
    let groups = 0;
    for (let seed = 1; seed <= SEEDS_WITH_GROUPS; seed++)
      groups += (await live(seed, options)).groupInserts;
    expect(groups).toBeGreaterThan(SEEDS_WITH_GROUPS / 2);
  });
});

describe.each([
  ['fails', false],
  ['and all after it fail', true],
] as const)('each call of the disk %s, one life after the other', (_, failsFromThere) => {
  it('no invariant is violated', async () => {
    for (let seed = 1; seed <= SHORT_SEEDS; seed++) {
      const never = await live(seed, { ...SHORT_LIFE, failingCall: Number.POSITIVE_INFINITY });
      expect(never.violations).toEqual([]);
      for (let failingCall = 1; failingCall <= never.diskCalls; failingCall++) {
        const life = await live(seed, { ...SHORT_LIFE, failingCall, failsFromThere });
        expect(life.violations, replayCallCommand(seed, failingCall, failsFromThere)).toEqual([]);
      }
    }
  });
});

describe.each(Object.entries(WORLDS_WITHOUT))('without %s', (_, options) => {
  it('the simulation finds a violation', async () => {
    let broken = 0;
    for (let seed = 1; seed <= SEEDS_WITHOUT_PROTECTION && broken === 0; seed++)
      broken += (await simulate(seed, options)).length;
    expect(broken).toBeGreaterThan(0);
  });
});
