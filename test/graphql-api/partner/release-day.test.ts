import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextReleaseDay, releaseDay } from '../../../graphql-api/partner/release-day.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const YEARS = { min: Date.UTC(1970, 0, 2), max: Date.UTC(2100, 0, 1) };
const runOf = (day: string) => Date.parse(`${day}T02:00:00.000Z`);

test('a credit is released by the first run at 02:00 UTC that is not before its hold is over', () => {
  fc.assert(
    fc.property(fc.integer(YEARS), fc.integer({ min: 0, max: 3_650 }), (clearedAtMs, holdDays) => {
      const runMs = runOf(releaseDay(clearedAtMs, holdDays));
      const heldUntilMs = clearedAtMs + holdDays * DAY_MS;
      expect(runMs).toBeGreaterThanOrEqual(heldUntilMs);
      expect(runMs - DAY_MS).toBeLessThan(heldUntilMs);
    }),
  );
});

test.each([
  ['2026-11-29T03:20:17Z', 30, '2026-12-30'],
  ['2026-11-29T01:59:59Z', 30, '2026-12-29'],
  ['2026-11-29T02:00:00Z', 30, '2026-12-29'],
  ['2026-11-29T02:00:00.001Z', 30, '2026-12-30'],
  ['2026-11-29T03:20:17Z', 60, '2027-01-29'],
])(
  'a payment cleared at %s and held for %i days is released on %s',
  (clearedAt, days, releaseOn) => {
    expect(releaseDay(Date.parse(clearedAt), days)).toBe(releaseOn);
  },
);

test('the next run is never in the past, and at most a day away', () => {
  fc.assert(
    fc.property(fc.integer(YEARS), nowMs => {
      const runMs = runOf(nextReleaseDay(nowMs));
      expect(runMs).toBeGreaterThanOrEqual(nowMs);
      expect(runMs - nowMs).toBeLessThan(DAY_MS);
    }),
  );
});
