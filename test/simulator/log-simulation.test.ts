// Invariants 1, 2, 3 and 7 with a replicated log. A failure prints the command that runs only its life;
// `npm run protections` removes each protection.

import { describe, expect, it } from 'vitest';
import { replayCommand } from './run.ts';
import { simulateLog } from './simulate-log.ts';
import { LOG_WORLDS } from './worlds.ts';

const isLong = process.env.TEST_LONG === '1';
const SEEDS = isLong ? 1_000 : 40;

describe.each(Object.entries(LOG_WORLDS))('with %s', (world, options) => {
  it('every acknowledged event is stored once, as sent, and nothing else', async () => {
    for (let seed = 1; seed <= SEEDS; seed++)
      expect(await simulateLog(seed, options), replayCommand(seed, world)).toEqual([]);
  });
});
