import { DAY_MS } from '../../schema/values/durations.ts';
import type { RangeMs } from '../platform/warehouse/report-range.ts';

/** The days of a range, in UTC. The first and the last may be parts of days. */
export function daysOf({ fromMs, toMs }: RangeMs): RangeMs[] {
  const days: RangeMs[] = [];
  for (let start = fromMs; start < toMs; ) {
    const end = Math.min(toMs, (Math.floor(start / DAY_MS) + 1) * DAY_MS);
    days.push({ fromMs: start, toMs: end });
    start = end;
  }
  return days;
}
