// Values that can still grow, which are shown as "At least".

import { inAtLeast, inCount } from '../../../pieces/in-words.ts';
import type { Range } from '../../../pieces/range/range.ts';
import { isOver } from '../whole-intervals.ts';
import type { Trends, TrendsVariables } from './trends-query.ts';

/** The other measures can also fall. */
const GROWING = new Set(['COUNT', 'PEOPLE']);

export type Growing = {
  /** By interval: it isn't over. */
  readonly points: readonly boolean[];
  /** The range reaches the present. */
  readonly total: boolean;
};

export function growingOf({ bucketStarts }: Trends, of: TrendsVariables, nowMs: number): Growing {
  const range = of.range as Range;
  const isGrowing = GROWING.has(of.series[0]!.measure ?? 'COUNT');
  return {
    points: bucketStarts.map(start => isGrowing && !isOver(start, of.bucket, range)),
    total: isGrowing && Date.parse(range.to) >= nowMs,
  };
}

/** A total of 0 is known: there are none so far. */
export function inTotal(value: number | null, isGrowing: boolean): string {
  return value === 0 ? '0' : inValue(value, isGrowing);
}

/** As in the chart. */
export function inValue(value: number | null | undefined, isGrowing = false): string {
  if (isGrowing) return inAtLeast(value ?? 0);
  return value == null ? '–' : inCount(value);
}
