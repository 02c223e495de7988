import { describe, expect, test } from 'vitest';
import {
  BUCKETS_MAX,
  type BucketSize,
  bucketStarts,
} from '../../../../graphql-api/platform/warehouse/bucket-starts.ts';

const range = (from: string, to: string) => ({ fromMs: Date.parse(from), toMs: Date.parse(to) });
const iso = (starts: readonly number[]) => starts.map(ms => new Date(ms).toISOString());

describe('days', () => {
  test('begin at midnight of the zone, the first one before the range', () => {
    const starts = bucketStarts(
      range('2026-11-01T10:00:00Z', '2026-11-03T10:00:00Z'),
      'day',
      'Asia/Kolkata',
    );
    expect(iso(starts)).toEqual([
      '2026-10-31T18:30:00.000Z',
      '2026-11-01T18:30:00.000Z',
      '2026-11-02T18:30:00.000Z',
    ]);
  });

  test('have 23 or 25 hours when clocks change', () => {
    const spring = bucketStarts(
      range('2026-03-27T23:00:00Z', '2026-03-31T00:00:00Z'),
      'day',
      'Europe/Berlin',
    );
    expect(iso(spring).slice(1, 4)).toEqual([
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T22:00:00.000Z',
      '2026-03-30T22:00:00.000Z',
    ]);
    const autumn = bucketStarts(
      range('2026-10-24T22:00:00Z', '2026-10-26T00:00:00Z'),
      'day',
      'Europe/Berlin',
    );
    expect(iso(autumn)).toEqual(['2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z']);
  });

  test('begin at one o’clock if midnight is skipped', () => {
    const starts = bucketStarts(
      range('2026-04-23T12:00:00Z', '2026-04-25T12:00:00Z'),
      'day',
      'Africa/Cairo',
    );
    // On 24 April 2026, clocks there are set from 0:00 to 1:00.
    expect(iso(starts)).toEqual([
      '2026-04-22T22:00:00.000Z',
      '2026-04-23T22:00:00.000Z',
      '2026-04-24T21:00:00.000Z',
    ]);
  });

  test('a range that begins at midnight begins with that day', () => {
    const starts = bucketStarts(
      range('2026-11-02T00:00:00Z', '2026-11-04T00:00:00Z'),
      'day',
      'UTC',
    );
    expect(iso(starts)).toEqual(['2026-11-02T00:00:00.000Z', '2026-11-03T00:00:00.000Z']);
  });
});

describe('hours', () => {
  test('follow a zone with an offset of three quarters of an hour', () => {
    const starts = bucketStarts(
      range('2026-11-02T10:00:00Z', '2026-11-02T11:30:00Z'),
      'hour',
      'Asia/Kathmandu',
    );
    expect(iso(starts)).toEqual([
      '2026-11-02T09:15:00.000Z',
      '2026-11-02T10:15:00.000Z',
      '2026-11-02T11:15:00.000Z',
    ]);
  });

  test('are two buckets for an hour that occurs twice', () => {
    const starts = bucketStarts(
      range('2026-10-24T23:30:00Z', '2026-10-25T02:30:00Z'),
      'hour',
      'Europe/Berlin',
    );
    expect(iso(starts)).toEqual([
      '2026-10-24T23:00:00.000Z',
      '2026-10-25T00:00:00.000Z',
      '2026-10-25T01:00:00.000Z',
      '2026-10-25T02:00:00.000Z',
    ]);
  });

  test('include a short one when the clock changes by half an hour', () => {
    const starts = bucketStarts(
      range('2026-10-03T14:00:00Z', '2026-10-03T18:00:00Z'),
      'hour',
      'Australia/Lord_Howe',
    );
    // At 15:30 UTC, 2:00 becomes 2:30. Full hours are at :30 UTC before that, and at :00 after it.
    expect(iso(starts)).toEqual([
      '2026-10-03T13:30:00.000Z',
      '2026-10-03T14:30:00.000Z',
      '2026-10-03T15:30:00.000Z',
      '2026-10-03T16:00:00.000Z',
      '2026-10-03T17:00:00.000Z',
    ]);
  });
});

test.each<[Exclude<BucketSize, 'week'>, string]>([
  ['minute', 'Asia/Kathmandu'],
  ['hour', 'America/New_York'],
  ['hour', 'Asia/Kolkata'],
  ['day', 'America/New_York'],
  ['day', 'Pacific/Apia'],
  ['day', 'UTC'],
])('of each %s in %s: one label each, the same for all in it', (size, timeZone) => {
  const days = { minute: 1, hour: 31, day: 92 }[size];
  const fromMs = Date.UTC(2026, 8, 20, 7, 13, 5, 21);
  const toMs = fromMs + days * 86_400_000;
  const starts = bucketStarts({ fromMs, toMs }, size, timeZone);
  expect(starts.length).toBeLessThanOrEqual(BUCKETS_MAX[size] + 1);
  expect(starts[0]).toBeLessThanOrEqual(fromMs);
  expect(starts[1]).toBeGreaterThan(fromMs);
  const clock = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    ...(size !== 'day' && { timeStyle: 'short' }),
  });
  const label = (ms: number) =>
    size === 'hour' ? clock.format(ms).slice(0, 13) : clock.format(ms);
  for (const [index, start] of starts.entries()) {
    const end = starts[index + 1] ?? toMs;
    expect(label(start)).toBe(label(end - 1));
    if (index > 0) expect(start).toBeGreaterThan(starts[index - 1]!);
  }
});

test('weeks begin at midnight of Monday in the zone, the first one before the range', () => {
  // In Berlin, clocks are set back on Sunday 25 October 2026.
  const weeks = bucketStarts(
    range('2026-10-25T22:30:00Z', '2026-11-08T23:00:01Z'),
    'week',
    'Europe/Berlin',
  );
  expect(iso(weeks)).toEqual([
    '2026-10-18T22:00:00.000Z',
    '2026-10-25T23:00:00.000Z',
    '2026-11-01T23:00:00.000Z',
    '2026-11-08T23:00:00.000Z',
  ]);
});

test('a range that begins on a Monday begins with that week', () => {
  const weeks = bucketStarts(range('2026-11-02T00:00:00Z', '2027-11-03T00:00:00Z'), 'week', 'UTC');
  expect(iso(weeks).slice(0, 2)).toEqual(['2026-11-02T00:00:00.000Z', '2026-11-09T00:00:00.000Z']);
  expect(weeks.length).toBeLessThanOrEqual(BUCKETS_MAX.week);
});

test.each([
  ['minute', '2026-11-01T00:00:00Z', '2026-11-02T00:05:00Z'],
  ['hour', '2026-09-01T00:00:00Z', '2026-11-02T00:00:00Z'],
] as const)('too many of a %s are refused', (size, from, to) => {
  expect(() => bucketStarts(range(from, to), size, 'UTC')).toThrow('INVALID_RANGE');
});

test.each([
  ['hour', '1969-12-31T00:00:00Z', '1970-01-02T00:00:00Z'],
  ['week', '2106-02-01T00:00:00Z', '2106-03-01T00:00:00Z'],
] as const)('buckets of a %s that ClickHouse cannot represent are refused', (size, from, to) => {
  expect(() => bucketStarts(range(from, to), size, 'UTC')).toThrow('INVALID_RANGE');
});

test.each(['Mars/Olympus', '', "UTC' OR 1=1"])('%j is not a time zone', timeZone => {
  const day = range('2026-11-01T00:00:00Z', '2026-11-02T00:00:00Z');
  expect(() => bucketStarts(day, 'day', timeZone)).toThrow('BAD_USER_INPUT');
});
