// The statement of a trend. It reads the events once, aggregates them by bucket and breakdown, ranks the
// breakdown values by their number of events, and merges the values that are not among the top values.

import { reject } from '../platform/rejected.ts';
import { type RangeMs, within } from '../platform/warehouse/report-range.ts';
import { matchCondition, namesCondition, numberOf, textOf } from './event-match.ts';
import { MEASURES, type Measure, mergeOf, stateOf } from './measure.ts';
import { PERSON, type Statement } from './statement.ts';
import type { TrendSeries, TrendsInput } from './trend.reads.ts';

type Periods = {
  readonly range: RangeMs;
  readonly starts: readonly number[];
  readonly startsBefore: readonly number[] | undefined;
};

/**
 * Rows: series (from 1), line (from 1), line_values, period (1 is the previous one), bucket (0 is the total), value.
 */
export function trendQuery(statement: Statement, input: TrendsInput, periods: Periods): string {
  const { series, top } = input;
  const measures = [...new Set(series.map(({ measure }) => measure))];
  const line = statement.bind('UInt32', top);
  const values = measures.map(measure => {
    const all = seriesOf(series, measure);
    return `series IN (${all.join()}), ${mergeOf(measure, `state_${measure}`)}`;
  });
  return `SELECT series, least(rank, ${line} + 1) AS line, if(rank > ${line}, [], breakdown) AS line_values,
       period, bucket_or_total AS bucket, multiIf(${values.join(', ')}, NULL) AS value
FROM (
  SELECT *, dense_rank() OVER (PARTITION BY series ORDER BY line_events DESC, breakdown) AS rank
  FROM (
    SELECT *, sum(if(period = 0, bucket_events, 0)) OVER (PARTITION BY series, breakdown) AS line_events
    FROM (${bucketsQuery(statement, input, periods, measures)})
  )
)
ARRAY JOIN [bucket_start, 0] AS bucket_or_total
${input.rest === 'OMITTED' ? `WHERE rank <= ${line}` : ''}
GROUP BY series, line, line_values, period, bucket
ORDER BY series, line, period, bucket`;
}

function bucketsQuery(
  statement: Statement,
  input: TrendsInput,
  periods: Periods,
  measures: readonly Measure[],
): string {
  const states = measures.map(
    measure => `${stateOf(measure, argumentOf(input.series, measure))} AS state_${measure}`,
  );
  return `
      SELECT series, period, bucket_start, breakdown, count() AS bucket_events,
             ${states.join(',\n             ')}
      FROM (${eventsQuery(statement, input, periods)})
      GROUP BY series, period, bucket_start, breakdown`;
}

function eventsQuery(statement: Statement, input: TrendsInput, periods: Periods): string {
  const matches = input.series.map(({ event }) => event);
  const conditions = matches.map((event, at) =>
    matchCondition(statement, event, ['series', String(at), 'event']),
  );
  const numbers = input.series.map((one, at) => numberIn(statement, one, at));
  const breakdown = (input.breakdowns ?? []).map(property => textOf(statement, property));
  return `
        SELECT arrayJoin(arrayFilter(at -> [${conditions.join(', ')}][at], range(1, ${matches.length + 1}))) AS series,
               nullIf(${PERSON}, '') AS person,
               CAST([${numbers.join(', ')}], 'Array(Nullable(Float64))')[series] AS number,
               CAST([${breakdown.join(', ')}], 'Array(Nullable(String))') AS breakdown,
               ${bucketColumns(statement, periods)}
        FROM events
        WHERE workspace_id = {workspaceId:UUID} AND ${within('timestamp')}
          AND ${namesCondition(statement, matches)}`;
}

function bucketColumns(statement: Statement, { range, starts, startsBefore }: Periods): string {
  const inBuckets = (ofPeriod: readonly number[]) => {
    const seconds = ofPeriod.map(ms => ms / 1000);
    return `roundDown(toUnixTimestamp(timestamp), ${statement.bind('Array(UInt32)', seconds)})`;
  };
  if (startsBefore === undefined) return `0 AS period, ${inBuckets(starts)} AS bucket_start`;
  const from = `fromUnixTimestamp64Milli(${statement.bind('Int64', range.fromMs)}, 'UTC')`;
  return `timestamp < ${from} AS period,
               if(period = 1, ${inBuckets(startsBefore)}, ${inBuckets(starts)}) AS bucket_start`;
}

/** The number that a series measures; null for COUNT and PEOPLE. */
function numberIn(statement: Statement, { measure, number }: TrendSeries, at: number): string {
  const isOfNumber = MEASURES[measure].of === 'number';
  if (isOfNumber !== (number != null))
    reject('BAD_USER_INPUT', {
      field: ['series', String(at), 'number'],
      message: isOfNumber
        ? `${measure} needs a \`number\`, such as {"properties": ["total"]}.`
        : `${measure} does not accept \`number\`.`,
    });
  return number == null ? 'NULL' : numberOf(statement, number);
}

/** Null for events of series with another measure, which the aggregate leaves out. */
function argumentOf(series: readonly TrendSeries[], measure: Measure): string {
  const isOfMeasure = `series IN (${seriesOf(series, measure).join()})`;
  const argument = { events: '1', people: 'person', number: 'number' }[MEASURES[measure].of];
  return `if(${isOfMeasure}, ${argument}, NULL)`;
}

/** From 1. */
function seriesOf(series: readonly TrendSeries[], measure: Measure): number[] {
  return series.flatMap((one, at) => (one.measure === measure ? [at + 1] : []));
}
