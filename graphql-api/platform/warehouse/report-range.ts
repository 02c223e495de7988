import { reject } from '../rejected.ts';

/** From `from` up to, not including, `to`. */
export type ReportRange = { readonly from: Date; readonly to: Date };

const DAY_MS = 24 * 3600 * 1000;
/** A quarter, for series. */
export const SERIES_DAYS_MAX = 92;
/** For lists of single rows. */
export const LIST_DAYS_MAX = 31;

/** Refuses a range that is none, or longer than the question allows. */
export function requireRange({ from, to }: ReportRange, daysMax: number): RangeMs {
  const [fromMs, toMs] = [from.getTime(), to.getTime()];
  if (toMs <= fromMs)
    return reject('INVALID_RANGE', {
      field: ['range'],
      message: 'range must end after it begins.',
    });
  if (toMs - fromMs > daysMax * DAY_MS)
    return reject('INVALID_RANGE', {
      field: ['range'],
      message: `range must be at most ${daysMax} days.`,
    });
  return { fromMs, toMs };
}

export type RangeMs = { readonly fromMs: number; readonly toMs: number };

/** A column of times within {fromMs} and {toMs}. */
export function within(column: string): string {
  return `${column} >= fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC')
     AND ${column} < fromUnixTimestamp64Milli({toMs:Int64}, 'UTC')`;
}

/** The newest day, the week before it, then the rest: most lists are full before the last. */
const SLICE_DAYS = [1, 7, LIST_DAYS_MAX];

/** The range in parts, the newest first: the first row of a busy month lies in its last day. */
export function* newestFirst({ fromMs, toMs }: RangeMs): Generator<RangeMs> {
  let end = toMs;
  for (const days of SLICE_DAYS) {
    if (end <= fromMs) return;
    const start = Math.max(fromMs, end - days * DAY_MS);
    yield { fromMs: start, toMs: end };
    end = start;
  }
}
