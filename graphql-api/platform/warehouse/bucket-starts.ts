// Computes where minutes, hours, days and weeks start in a time zone. ClickHouse receives the result, so its
// time zone database is never used.

import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../schema/values/durations.ts';
import { reject } from '../rejected.ts';
import type { RangeMs } from './report-range.ts';

export type BucketSize = 'minute' | 'hour' | 'day' | 'week';

const WEEK_MS = 7 * DAY_MS;
/** From the Monday before the epoch, which was a Thursday. */
const MONDAY_OFFSET_MS = 3 * DAY_MS;
/** UTC offsets of all zones, and the times at which they change, are multiples of 15 minutes. */
const QUARTER_MS = 15 * MINUTE_MS;
/** The maximum length of the bucket, including a clock that is set back. */
const LOOK_BACK_MS = {
  minute: 0,
  hour: 26 * HOUR_MS,
  day: 26 * HOUR_MS,
  week: WEEK_MS + 2 * HOUR_MS,
};

/** A day in minutes, a month in hours, a quarter in days or a year in weeks, plus partial buckets at the ends. */
export const BUCKETS_MAX: Readonly<Record<BucketSize, number>> = {
  minute: 24 * 60 + 1,
  hour: 31 * 24 + 2,
  day: 92 + 2,
  week: 53 + 2,
};

/** The last second of ClickHouse's DateTime, in 2106. Starts are passed as such seconds. */
const LAST_MS = 4_294_967_295_000;

/** The starts of all buckets in ascending order. The first one is at or before the start of the range. */
export function bucketStarts(range: RangeMs, size: BucketSize, timeZone: string): number[] {
  const { fromMs, toMs } = range;
  const unitMs = { minute: MINUTE_MS, hour: HOUR_MS, day: DAY_MS, week: WEEK_MS }[size];
  if ((toMs - fromMs) / unitMs > BUCKETS_MAX[size])
    return reject('INVALID_RANGE', {
      field: ['range'],
      message: `range must contain at most ${BUCKETS_MAX[size] - 1} ${size} buckets.`,
    });
  if (fromMs - LOOK_BACK_MS[size] < 0 || toMs > LAST_MS)
    return reject('INVALID_RANGE', {
      field: ['range'],
      message: 'range must be between the years 1970 and 2105.',
    });
  const offsetMsAt = offsetsOf(timeZone);
  if (size === 'minute') return everyMinute(range);
  const starts: number[] = [];
  const first = floor(fromMs - LOOK_BACK_MS[size], QUARTER_MS);
  let label = '';
  for (let ms = first; ms < toMs; ms += QUARTER_MS) {
    const offsetMs = offsetMsAt(ms);
    const unit = floor(ms + offsetMs + (size === 'week' ? MONDAY_OFFSET_MS : 0), unitMs);
    // An hour that repeats when the clock is set back is a separate bucket; the day is one bucket.
    const here = size === 'hour' ? `${unit} ${offsetMs}` : `${unit}`;
    if (here === label) continue;
    label = here;
    if (ms <= fromMs) starts.length = 0;
    starts.push(ms);
  }
  return starts;
}

function everyMinute({ fromMs, toMs }: RangeMs): number[] {
  const starts = [];
  for (let ms = floor(fromMs, MINUTE_MS); ms < toMs; ms += MINUTE_MS) starts.push(ms);
  return starts;
}

/** Returns a function for the zone's offset from UTC at a time. */
function offsetsOf(timeZone: string): (ms: number) => number {
  const clock = clockOf(timeZone);
  const byDay = new Map<number, number>();
  const exactly = (ms: number) => localMs(clock, ms) - ms;
  const atDay = (ms: number) => {
    const known = byDay.get(ms) ?? exactly(ms);
    byDay.set(ms, known);
    return known;
  };
  return ms => {
    const day = floor(ms, DAY_MS);
    const offsetMs = atDay(day);
    // Calling Intl for each 15 minutes would take most of the time of a report.
    return offsetMs === atDay(day + DAY_MS) ? offsetMs : exactly(ms);
  };
}

function clockOf(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'iso8601',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    return reject('BAD_USER_INPUT', {
      field: ['timeZone'],
      message: 'timeZone must be an IANA time zone name, such as Asia/Kolkata.',
    });
  }
}

/** The local time in the zone, as if it were UTC. */
function localMs(clock: Intl.DateTimeFormat, ms: number): number {
  const parts = new Map(clock.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
  const [year, month, day] = ['year', 'month', 'day'].map(name => parts.get(name as never)!);
  const [hour, minute, second] = ['hour', 'minute', 'second'].map(
    name => parts.get(name as never)!,
  );
  return Date.UTC(year!, month! - 1, day!, hour!, minute!, second!) + (ms % 1000);
}

function floor(value: number, unit: number): number {
  return Math.floor(value / unit) * unit;
}
