// A reference implementation of trends: one filter per point.

import type { Measure } from '../../../graphql-api/insights/measure.ts';
import type { TrendLine, TrendsInput } from '../../../graphql-api/insights/trend.reads.ts';
import type { Random } from '../../harness/random.ts';
import type { Row } from '../harness/report-rows.ts';
import { DATA_DAYS, DATA_FROM_MS, eventsOnce } from './data-set.ts';
import {
  compareTexts,
  matches,
  numberIn,
  personOf,
  randomMatch,
  randomNumber,
  randomProperty,
  textIn,
  timeMs,
} from './event-match.reference.ts';

const DAY_MS = 86_400_000;
const MEASURES: readonly Measure[] = [
  'COUNT',
  'COUNT',
  'PEOPLE',
  'PEOPLE',
  'SUM',
  'AVERAGE',
  'MIN',
  'MAX',
  'P50',
  'P90',
  'P95',
  'P99',
];

export function randomTrends(random: Random): TrendsInput {
  const fromMs = DATA_FROM_MS + random.below(DATA_DAYS * DAY_MS);
  const toMs = fromMs + 1 + random.below(8 * DAY_MS);
  return {
    range: { from: new Date(fromMs), to: new Date(toMs) },
    bucket: random.pick(['hour', 'day', 'week'] as const),
    timeZone: random.pick(['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'America/New_York']),
    series: Array.from({ length: 1 + random.below(3) }, () => {
      const measure = random.pick(MEASURES);
      const isCount = measure === 'COUNT' || measure === 'PEOPLE';
      return { event: randomMatch(random), measure, number: isCount ? null : randomNumber(random) };
    }),
    breakdowns: Array.from({ length: random.below(3) }, () => randomProperty(random)),
    top: 1 + random.below(4),
    rest: random.pick(['OTHER', 'OMITTED'] as const),
    isCompared: random.below(2) === 0,
  };
}

type Periods = {
  readonly starts: readonly number[];
  readonly startsBefore: readonly number[] | undefined;
};

export function trendLines(
  rows: readonly Row[],
  input: TrendsInput,
  { starts, startsBefore }: Periods,
): Omit<TrendLine, 'line'>[] {
  const [fromMs, toMs] = [input.range.from.getTime(), input.range.to.getTime()];
  const before = fromMs - (toMs - fromMs);
  const now = eventsOnce(rows).filter(row => timeMs(row) >= fromMs && timeMs(row) < toMs);
  const then = eventsOnce(rows).filter(row => timeMs(row) >= before && timeMs(row) < fromMs);
  const breakdowns = input.breakdowns ?? [];
  return input.series.flatMap(({ event, measure, number }, series) => {
    const [current, previous] = [now, then].map(all => all.filter(row => matches(row, event)));
    const valuesOf = (row: Row) => breakdowns.map(property => textIn(row, property));
    const isOf = (values: readonly (string | null)[]) => (row: Row) =>
      JSON.stringify(valuesOf(row)) === JSON.stringify(values);
    const known = [...current!, ...(startsBefore ? previous! : [])].map(row =>
      JSON.stringify(valuesOf(row)),
    );
    const ranked = [...new Set(breakdowns.length === 0 ? ['[]'] : known)]
      .map(text => JSON.parse(text) as (string | null)[])
      .map(values => ({ values, count: current!.filter(isOf(values)).length }))
      .toSorted((a, b) => b.count - a.count || compareLists(a.values, b.values))
      .map(({ values }) => values);
    const top = ranked.slice(0, input.top);
    const rest = ranked.slice(input.top);
    const isOfRest = (row: Row) => rest.some(values => isOf(values)(row));
    const measured = (events: readonly Row[]) =>
      measureOf(measure, events, number == null ? undefined : row => numberIn(row, number));
    const lineOf = (
      isRest: boolean,
      values: readonly (string | null)[],
      isIn: (row: Row) => boolean,
    ) => {
      const [ours, theirs] = [current!.filter(isIn), previous!.filter(isIn)];
      return {
        series,
        isRest,
        values,
        total: measured(ours),
        points: inBuckets(ours, starts).map(measured),
        previousTotal: startsBefore ? measured(theirs) : null,
        previousPoints: startsBefore ? inBuckets(theirs, startsBefore).map(measured) : null,
      };
    };
    const lines = top.map(values => lineOf(false, values, isOf(values)));
    const hasRest = rest.length > 0 && input.rest === 'OTHER';
    return hasRest ? [...lines, lineOf(true, [], isOfRest)] : lines;
  });
}

function inBuckets(rows: readonly Row[], starts: readonly number[]): Row[][] {
  return starts.map((start, at) =>
    rows.filter(
      row => timeMs(row) >= start && timeMs(row) < (starts[at + 1] ?? Number.POSITIVE_INFINITY),
    ),
  );
}

function compareLists(a: readonly (string | null)[], b: readonly (string | null)[]): number {
  return a.map((text, at) => compareTexts(text, b[at]!)).find(order => order !== 0) ?? 0;
}

function measureOf(
  measure: Measure,
  rows: readonly Row[],
  number: ((row: Row) => number | null) | undefined,
): number | null {
  if (measure === 'COUNT') return rows.length;
  if (measure === 'PEOPLE') return new Set(rows.map(personOf).filter(Boolean)).size;
  const numbers = rows.map(row => number!(row)).filter(one => one !== null);
  const sum = numbers.reduce((all, one) => all + one, 0);
  if (measure === 'SUM') return sum;
  if (numbers.length === 0) return null;
  if (measure === 'AVERAGE') return sum / numbers.length;
  const ascending = numbers.toSorted((a, b) => a - b);
  if (measure === 'MIN') return ascending[0]!;
  if (measure === 'MAX') return ascending.at(-1)!;
  return ascending[Math.floor((Number(measure.slice(1)) / 100) * numbers.length)]!;
}
