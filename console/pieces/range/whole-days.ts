// The UTC days of a report by day.

import { type ChosenRange, CUSTOM, DAY_MS, type Range } from './range.ts';

export type Days = {
  /** YYYY-MM-DD, in order. */
  readonly days: readonly string[];
  /** From the start of the first day to the end of the last. */
  readonly range: Range;
};

/**
 * The days that a range touches. Ranges such as the last 7 days begin in the middle of a day, whose
 * bar would be too low: they begin with the day after it.
 */
export function wholeDays({ from, to }: Range, { name }: ChosenRange): Days {
  const start = Date.parse(from) / DAY_MS;
  const first = name === CUSTOM ? Math.floor(start) : Math.ceil(start);
  const end = Math.ceil(Date.parse(to) / DAY_MS);
  const startOf = (day: number) => new Date(day * DAY_MS).toISOString();
  return {
    days: Array.from({ length: end - first }, (_, at) => startOf(first + at).slice(0, 10)),
    range: { from: startOf(first), to: startOf(end) },
  };
}

/** The last days of a range, if it is longer than a list may be. */
export function lastDays({ from, to }: Range, daysMax: number): Range {
  const earliest = new Date(Date.parse(to) - daysMax * DAY_MS).toISOString();
  return { from: from < earliest ? earliest : from, to };
}
