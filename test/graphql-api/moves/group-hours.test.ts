import { expect, test } from 'vitest';
import { groupHours } from '../../../graphql-api/moves/compare-cells.ts';

const HOUR_MS = 60 * 60 * 1000;

test('hours share a range up to its maximum, and a busy hour is divided', () => {
  const hours = [
    [1, 50_000],
    [3, 150_000],
    [4, 1],
    [5, 450_000],
    [6, 1],
  ] as const;
  const whole = { slice: 0, slices: 1 };
  expect(groupHours(hours)).toEqual([
    { fromMs: HOUR_MS, toMs: 4 * HOUR_MS, ...whole },
    { fromMs: 4 * HOUR_MS, toMs: 5 * HOUR_MS, ...whole },
    ...[0, 1, 2].map(slice => ({ fromMs: 5 * HOUR_MS, toMs: 6 * HOUR_MS, slice, slices: 3 })),
    { fromMs: 6 * HOUR_MS, toMs: 7 * HOUR_MS, ...whole },
  ]);
});
