// Trends: a measure of events by bucket, by the most frequent values of up to two properties, and
// compared with the previous period.

import type { Context } from '../platform/context.ts';
import { reject } from '../platform/rejected.ts';
import { type BucketSize, bucketStarts } from '../platform/warehouse/bucket-starts.ts';
import {
  type RangeMs,
  type ReportRange,
  requireRange,
} from '../platform/warehouse/report-range.ts';
import type { EventMatch, EventProperty } from './event-match.ts';
import type { Measure } from './measure.ts';
import { createStatement } from './statement.ts';
import { trendQuery } from './trend.sql.ts';

export type TrendBucket = Exclude<BucketSize, 'minute'>;

export type TrendSeries = {
  readonly event: EventMatch;
  readonly measure: Measure;
  /** The number to measure. Not set for counts. */
  readonly number?: EventProperty | null | undefined;
};

/** The treatment of values that are not among the top values. */
export type TrendRest = 'OTHER' | 'OMITTED';

export type TrendsInput = {
  readonly range: ReportRange;
  readonly bucket: TrendBucket;
  readonly timeZone: string;
  readonly series: readonly TrendSeries[];
  readonly breakdowns?: readonly EventProperty[] | null | undefined;
  readonly top: number;
  readonly rest: TrendRest;
  readonly isCompared: boolean;
};

export type Trends = {
  readonly bucketStarts: readonly Date[];
  readonly previousBucketStarts: readonly Date[] | null;
  readonly lines: readonly TrendLine[];
  readonly sql: string;
};

export type TrendLine = {
  /** The position in the input. */
  readonly series: number;
  /** The position within the series, from 1. */
  readonly line: number;
  readonly isRest: boolean;
  /** One per breakdown; none for the rest. */
  readonly values: readonly (string | null)[];
  readonly total: number | null;
  /** One per bucket. */
  readonly points: readonly (number | null)[];
  readonly previousTotal: number | null;
  readonly previousPoints: readonly (number | null)[] | null;
};

/** A chart with more is unreadable. */
export const SERIES_MAX = 10;
export const BREAKDOWNS_MAX = 2;
/** As many as `eventCounts` shows. */
export const TREND_TOP_MAX = 50;
/** A month in hours, a quarter in days, a year in weeks. */
export const TREND_DAYS_MAX: Readonly<Record<TrendBucket, number>> = {
  hour: 31,
  day: 92,
  week: 366,
};
/** The number of rows that ClickHouse may return for a report. */
const POINTS_MAX = 20_000;

type Row = {
  /** From 1. */
  readonly series: number;
  readonly line: number;
  readonly lineValues: readonly (string | null)[];
  readonly period: 0 | 1;
  /** In seconds; 0 for the total. */
  readonly bucket: number;
  readonly value: number | null;
};

export async function trends(context: Context, input: TrendsInput): Promise<Trends> {
  requireLists(input);
  const range = requireRange(input.range, TREND_DAYS_MAX[input.bucket]);
  const starts = bucketStarts(range, input.bucket, input.timeZone);
  const before = input.isCompared ? periodBefore(range) : undefined;
  const startsBefore = before && bucketStarts(before, input.bucket, input.timeZone);
  requirePoints(input, starts.length + 1 + (startsBefore ? startsBefore.length + 1 : 0));
  const statement = createStatement({ fromMs: before?.fromMs ?? range.fromMs, toMs: range.toMs });
  const query = trendQuery(statement, input, { range, starts, startsBefore });
  const { rows, sql } = await statement.ask<Row>(context, query);
  return {
    bucketStarts: datesOf(starts),
    previousBucketStarts: startsBefore === undefined ? null : datesOf(startsBefore),
    lines: linesOf(input, rows, starts, startsBefore),
    sql,
  };
}

/** Ends where the range starts, and has the same length. */
function periodBefore({ fromMs, toMs }: RangeMs): RangeMs {
  return { fromMs: fromMs - (toMs - fromMs), toMs: fromMs };
}

function linesOf(
  input: TrendsInput,
  rows: readonly Row[],
  starts: readonly number[],
  startsBefore: readonly number[] | undefined,
): TrendLine[] {
  const byLine = Map.groupBy(rows, ({ series, line }) => `${series} ${line}`);
  // Without a breakdown, a series without events is a line of zeros.
  if (isWhole(input))
    for (const [at] of input.series.entries())
      if (!byLine.has(`${at + 1} 1`)) byLine.set(`${at + 1} 1`, []);
  const lines = [...byLine].map(([key, points]) => {
    const [series, line] = key.split(' ').map(Number);
    const { measure } = input.series[series! - 1]!;
    const empty = ZERO_IF_NONE.has(measure) ? 0 : null;
    const pointIn = (period: 0 | 1) => {
      const inPeriod = points.filter(point => point.period === period);
      const byStart = new Map(inPeriod.map(({ bucket, value }) => [bucket * 1000, value]));
      return (start: number) => (byStart.has(start) ? byStart.get(start)! : empty);
    };
    const [now, then] = [pointIn(0), pointIn(1)];
    return {
      series: series! - 1,
      line: line!,
      isRest: line! > input.top,
      values: points[0]?.lineValues ?? [],
      total: now(0),
      points: starts.map(now),
      previousTotal: startsBefore === undefined ? null : then(0),
      previousPoints: startsBefore?.map(then) ?? null,
    };
  });
  return lines.toSorted((a, b) => a.series - b.series || a.line - b.line);
}

const ZERO_IF_NONE: ReadonlySet<Measure> = new Set(['COUNT', 'PEOPLE', 'SUM']);

function isWhole({ breakdowns }: TrendsInput): boolean {
  return (breakdowns?.length ?? 0) === 0;
}

function requireLists({ series, breakdowns, top }: TrendsInput): void {
  if (series.length === 0 || series.length > SERIES_MAX)
    reject('BAD_USER_INPUT', {
      field: ['series'],
      message: `series must have 1 to ${SERIES_MAX} items.`,
    });
  if ((breakdowns?.length ?? 0) > BREAKDOWNS_MAX)
    reject('BAD_USER_INPUT', {
      field: ['breakdowns'],
      message: `breakdowns must have at most ${BREAKDOWNS_MAX} items.`,
    });
  if (!Number.isInteger(top) || top < 1 || top > TREND_TOP_MAX)
    reject('BAD_USER_INPUT', {
      field: ['top'],
      message: `top must be between 1 and ${TREND_TOP_MAX}.`,
    });
}

function requirePoints(input: TrendsInput, perLine: number): void {
  const linesMax = input.series.length * (isWhole(input) ? 1 : input.top + 1);
  if (linesMax * perLine <= POINTS_MAX) return;
  reject('REPORT_TOO_LARGE', {
    message: `The report could have ${linesMax * perLine} points, which exceeds the maximum of ${POINTS_MAX}. Use longer buckets, a shorter range, fewer series or a lower \`top\`.`,
  });
}

function datesOf(starts: readonly number[]): Date[] {
  return starts.map(ms => new Date(ms));
}
