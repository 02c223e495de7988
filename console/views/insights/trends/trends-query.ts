import { graphql, type ResultOf, type VariablesOf } from '../../../graph/graphql.ts';
import { isSound, matchOf } from '../../../pieces/event-match/event-draft.ts';
import { propertyOf } from '../../../pieces/event-match/property-text.ts';
import type { Range } from '../../../pieces/range/range.ts';
import { TIME_ZONE } from '../whole-intervals.ts';
import { needsNumber, type TrendsSettings } from './trends-settings.ts';

export const TRENDS_REPORT = graphql(`
  query Trends(
    $range: ReportRange!, $bucket: TrendBucket!, $timeZone: String!, $series: [TrendSeries!]!,
    $breakdowns: [EventProperty!], $isCompared: Boolean!
  ) {
    trends(
      range: $range, bucket: $bucket, timeZone: $timeZone, series: $series,
      breakdowns: $breakdowns, isCompared: $isCompared
    ) {
      bucketStarts
      lines { series isRest values total previousTotal points previousPoints }
      sql
    }
  }
`);

export type Trends = NonNullable<ResultOf<typeof TRENDS_REPORT>['trends']>;
export type TrendLine = Trends['lines'][number];
export type TrendsVariables = VariablesOf<typeof TRENDS_REPORT>;

/** Undefined if something must be chosen first. */
export function trendsVariables(
  { events, measure, number, interval, breakdown, isCompared }: TrendsSettings,
  range: Range | undefined,
): TrendsVariables | undefined {
  const measured = needsNumber(measure) ? propertyOf(number) : undefined;
  if (range === undefined || !events.every(isSound)) return undefined;
  if (needsNumber(measure) && measured?.column !== undefined) return undefined;
  if (needsNumber(measure) && measured === undefined) return undefined;
  const by = propertyOf(breakdown);
  return {
    range,
    bucket: interval,
    timeZone: TIME_ZONE,
    series: events.map(event => ({
      event: matchOf(event),
      measure,
      ...(measured && { number: measured }),
    })),
    ...(by && { breakdowns: [by] }),
    isCompared,
  };
}
