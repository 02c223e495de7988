import { expect, test } from 'vitest';
import { afterPass } from '../../../graphql-api/privacy/erasure-states.ts';
import type { ErasureState } from '../../../graphql-api/privacy/person-erasure.entity.ts';

const ERASED_AT = new Date('2026-01-10T12:00:00Z');

/**
 * The state after a pass this number of hours after the first one, and the hours until the next
 * pass.
 */
function passed(
  state: ErasureState,
  hours: number,
  { lateDays = 2, isSettled = true, isClean = true } = {},
): [ErasureState, number | null] {
  const now = new Date(ERASED_AT.getTime() + hours * 3_600_000);
  const erasedAt = state === 'RUNNING' ? null : ERASED_AT;
  const next = afterPass({ state, lateDays, erasedAt }, now, { isSettled, isClean });
  const waits = next.nextPassAt && (next.nextPassAt.getTime() - now.getTime()) / 3_600_000;
  return [next.state, waits];
}

test('the first pass is followed by another once no spool can hold earlier rows', () => {
  expect(passed('RUNNING', 0)).toEqual(['SETTLING', 0.75]);
  expect(passed('SETTLING', 1)).toEqual(['WATCHING', 24]);
  expect(passed('SETTLING', 1, { isSettled: false })).toEqual(['SETTLING', 0.75]);
  expect(passed('SETTLING', 1, { lateDays: 0 })).toEqual(['COMPLETED', null]);
});

test('late data is deleted daily, for the last time at the end of its days', () => {
  expect(passed('WATCHING', 25)).toEqual(['WATCHING', 23]);
  expect(passed('WATCHING', 48)).toEqual(['COMPLETED', null]);
});

test('an erasure is not completed while a row is left', () => {
  expect(passed('WATCHING', 48, { isClean: false })).toEqual(['WATCHING', 0.75]);
  expect(passed('SETTLING', 1, { lateDays: 0, isClean: false })).toEqual(['SETTLING', 0.75]);
});
