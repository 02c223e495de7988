// The last hour by minute. Unknown minutes are never drawn as zero.

import { describe, expect, test } from 'vitest';
import { type Known, MINUTE_MS, minutesOf } from '../../../console/views/live/minutes-of.ts';

const NOW_MS = Date.UTC(2026, 0, 1, 12, 30, 20);
const LAST_MS = Date.UTC(2026, 0, 1, 12, 30);

/** The history from the warehouse: ten events per minute, complete until this time. */
function historyUntil(untilMs: number): Known['history'] {
  const minutes = Array.from({ length: 60 }, (_, at) => LAST_MS - at * MINUTE_MS)
    .filter(startMs => startMs <= untilMs)
    .map(startMs => ({ startMs, accepted: 10, rejected: 1 }));
  return { untilMs, minutes };
}

function shownBy(known: Partial<Known>) {
  const minutes = minutesOf({
    history: undefined,
    counted: [],
    countingSinceMs: undefined,
    nowMs: NOW_MS,
    ...known,
  });
  expect(minutes).toHaveLength(60);
  return {
    minutes,
    unknown: minutes.filter(({ isKnown }) => !isKnown).length,
    accepted: minutes.reduce((sum, one) => sum + one.accepted, 0),
  };
}

describe('a warehouse that is up to date', () => {
  test('leaves nothing unknown, and what was counted since comes on top', () => {
    const { unknown, accepted, minutes } = shownBy({
      history: historyUntil(NOW_MS - 5_000),
      countingSinceMs: NOW_MS - 3_000,
      counted: [{ atMs: NOW_MS - 1_000, accepted: 3, rejected: 0 }],
    });
    expect(unknown).toBe(0);
    expect(accepted).toBe(603);
    expect(minutes.at(-1)).toMatchObject({ startMs: LAST_MS, accepted: 13 });
  });
});

describe('a warehouse that is ten minutes behind', () => {
  const history = historyUntil(NOW_MS - 10 * MINUTE_MS);

  test('leaves minutes before the page was opened unknown', () => {
    const { minutes, unknown } = shownBy({ history, countingSinceMs: NOW_MS - 1_000 });
    expect(unknown).toBe(11);
    expect(minutes.at(-12)).toMatchObject({ isKnown: true, accepted: 10 });
    for (const one of minutes.slice(-11)) expect(one.isKnown).toBe(false);
  });

  test('leaves nothing unknown to who has looked all the while', () => {
    const counted = Array.from({ length: 10 }, (_, at) => ({
      atMs: NOW_MS - at * MINUTE_MS,
      accepted: 7,
      rejected: 0,
    }));
    const { minutes, unknown } = shownBy({
      history,
      counted,
      countingSinceMs: NOW_MS - 10 * MINUTE_MS,
    });
    expect(unknown).toBe(0);
    expect(minutes.slice(-10).map(one => one.accepted)).toEqual(Array(10).fill(7));
  });
});

describe('a warehouse that has not answered', () => {
  test('leaves everything unknown', () => {
    expect(shownBy({}).unknown).toBe(60);
  });

  test('keeps the minutes since the page was opened known', () => {
    const countingSinceMs = LAST_MS - 2 * MINUTE_MS;
    const counted = [{ atMs: NOW_MS, accepted: 4, rejected: 0 }];
    const { unknown, accepted } = shownBy({ countingSinceMs, counted });
    expect(unknown).toBe(57);
    expect(accepted).toBe(4);
  });
});
