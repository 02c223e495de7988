// Ranges such as the last 30 days begin in the middle of an hour, day or week: its bar would be too low.

import { type ChosenRange, CUSTOM, DAY_MS, type Range } from '../../pieces/range/range.ts';

export type Interval = 'HOUR' | 'DAY' | 'WEEK';

const LENGTHS_MS: Readonly<Record<Interval, number>> = {
  HOUR: DAY_MS / 24,
  DAY: DAY_MS,
  WEEK: 7 * DAY_MS,
};
const MONDAY = 1;

/** From the first interval that is whole. A range between two chosen times is unchanged. */
export function wholeIntervals(range: Range, { name }: ChosenRange, interval: Interval): Range {
  if (name === CUSTOM) return range;
  return { ...range, from: nextStart(new Date(range.from), interval).toISOString() };
}

/** Whether all events of an interval are in the range. */
export function isOver(start: string, interval: Interval, { to }: Range): boolean {
  return Date.parse(start) + LENGTHS_MS[interval] <= Date.parse(to);
}

function nextStart(at: Date, interval: Interval): Date {
  const next = new Date(at);
  if (interval === 'HOUR') {
    next.setMinutes(0, 0, 0);
    if (next < at) next.setMinutes(60);
    return next;
  }
  next.setHours(0, 0, 0, 0);
  while (next < at || (interval === 'WEEK' && next.getDay() !== MONDAY))
    next.setDate(next.getDate() + 1);
  return next;
}

/** That of the viewer, in which the intervals begin. */
export const TIME_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;
