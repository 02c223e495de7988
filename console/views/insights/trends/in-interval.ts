import { inDayOfYear, inMinute } from '../../../pieces/in-words.ts';
import type { Interval } from '../whole-intervals.ts';

/** The start of an interval, short enough for an axis. */
export function inInterval(start: string, interval: Interval): string {
  const day = inDayOfYear(start);
  return interval === 'HOUR' ? `${day} ${inMinute(Date.parse(start))}` : day;
}
