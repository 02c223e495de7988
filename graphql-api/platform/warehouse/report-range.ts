import { DAY_MS } from '../../../schema/values/durations.ts';
import { reject } from '../rejected.ts';

/** Includes `from`, but not `to`. */
export type ReportRange = { readonly from: Date; readonly to: Date };

/** A quarter, for time series. */
export const SERIES_DAYS_MAX = 92;
/** For lists of single rows. */
export const LIST_DAYS_MAX = 31;

/** Rejects a range that is empty or longer than the report allows. */
export function requireRange({ from, to }: ReportRange, daysMax: number): RangeMs {
  const [fromMs, toMs] = [from.getTime(), to.getTime()];
  if (toMs <= fromMs)
    return reject('INVALID_RANGE', {
      field: ['range'],
      message: 'range must end after it starts.',
    });
  if (toMs - fromMs > daysMax * DAY_MS)
    return reject('INVALID_RANGE', {
      field: ['range'],
      message: `range must be at most ${daysMax} days.`,
    });
  return { fromMs, toMs };
}

export type RangeMs = { readonly fromMs: number; readonly toMs: number };

/** A condition: the column is in the range from {fromMs} to {toMs}. */
export function within(column: string): string {
  return `${column} >= fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC')
     AND ${column} < fromUnixTimestamp64Milli({toMs:Int64}, 'UTC')`;
}

/** The last day, the week before it, then the rest. Most pages are filled before the last part is read. */
const SLICE_DAYS = [1, 7, LIST_DAYS_MAX];

/** Splits the range into parts, newest first, because most pages are found in the last day. */
export function* newestFirst({ fromMs, toMs }: RangeMs): Generator<RangeMs> {
  let end = toMs;
  for (const days of SLICE_DAYS) {
    if (end <= fromMs) return;
    const start = Math.max(fromMs, end - days * DAY_MS);
    yield { fromMs: start, toMs: end };
    end = start;
  }
}
