import { builder } from '../platform/graph/builder.ts';
import { describedEnum, uppercaseEnum } from '../platform/graph/described-enum.ts';
import { expose, memberObject } from '../platform/graph/fields.ts';
import { seriesQuery } from '../platform/graph/report.ts';
import { EventMatchInput, EventPropertyInput, PERSON_TEXT, SQL_TEXT } from './event-match.graph.ts';
import type { Measure } from './measure.ts';
import {
  BREAKDOWNS_MAX,
  SERIES_MAX,
  TREND_DAYS_MAX,
  TREND_TOP_MAX,
  type TrendBucket,
  type TrendLine,
  type TrendRest,
  type TrendSeries,
  type Trends,
  trends,
} from './trend.reads.ts';

const TOP_DEFAULT = 10;
const percentile = (p: number) =>
  `The ${p}th percentile of the values of \`number\`. If the n values are sorted in ascending order, this is the value at index floor(n × 0.${p}). The first value has index 0.`;

const MeasureEnum = describedEnum<Measure>('TrendMeasure', 'The measure of a trend.', {
  COUNT: 'The number of events.',
  PEOPLE: 'The number of unique people.',
  SUM: 'The sum of the values of `number`.',
  AVERAGE: 'The average of the values of `number`.',
  MIN: 'The smallest value of `number`.',
  MAX: 'The largest value of `number`.',
  P50: percentile(50),
  P90: percentile(90),
  P95: percentile(95),
  P99: percentile(99),
});

const RestEnum = describedEnum<TrendRest>(
  'TrendRest',
  'How a trend treats breakdown values that are not among the top values.',
  { OTHER: 'These values share one line.', OMITTED: 'These values are omitted.' },
);

const TrendBucketEnum = uppercaseEnum<TrendBucket>(
  'TrendBucket',
  'The length of a bucket in a trend. Hours, days and weeks begin and end in the time zone of the report.',
  {
    hour: `One hour, for ranges of up to ${TREND_DAYS_MAX.hour} days.`,
    day: `One day, from midnight to midnight, for ranges of up to ${TREND_DAYS_MAX.day} days.`,
    week: `One week, starting on Monday, for ranges of up to ${TREND_DAYS_MAX.week} days.`,
  },
);

const TrendSeriesInput = builder.inputRef<TrendSeries>('TrendSeries').implement({
  description: 'One measure of selected events.',
  fields: t => ({
    event: t.field({
      type: EventMatchInput,
      required: true,
      description: 'The events to measure.',
    }),
    measure: t.field({
      type: MeasureEnum,
      required: true,
      defaultValue: 'COUNT',
      description: 'The measure to compute.',
    }),
    number: t.field({
      type: EventPropertyInput,
      description:
        'The value to measure, which must be a number in `properties` or `context`. Required for all measures except COUNT and PEOPLE, which do not accept `number`. Events that do not contain this number are ignored.',
    }),
  }),
});

const TrendLineRef = memberObject<TrendLine>('TrendLine', {
  description: 'The points of one series or, with a breakdown, of one of its breakdown values.',
  fields: t => ({
    ...expose(t, 'Int!', { series: 'The position of the series in the input, starting at 0.' }),
    ...expose(t, 'Boolean!', {
      isRest: 'Whether this line combines all breakdown values that have no line of their own.',
    }),
    values: t.stringList({
      nullable: { list: false, items: true },
      description:
        'The breakdown values of the line, one per breakdown. A null value stands for events without the property. The list is empty if there is no breakdown, and for the line that combines the remaining values.',
      resolve: ({ values }) => values as (string | null)[],
    }),
    ...expose(t, 'Float', {
      total:
        'The value of the measure for the whole range. If there is nothing to measure, counts and sums are 0 and other measures are null. The total equals the sum of the points only for COUNT and SUM.',
      previousTotal:
        'The same as `total`, but for the previous period; null if no comparison was requested.',
    }),
    points: t.floatList({
      nullable: { list: false, items: true },
      description:
        'The value of the measure in each bucket, in the order of `bucketStarts`. In a bucket without events, counts and sums are 0 and other measures are null.',
      resolve: ({ points }) => points as (number | null)[],
    }),
    previousPoints: t.floatList({
      nullable: { list: true, items: true },
      description:
        'The value of the measure in each bucket of the previous period, in the order of `previousBucketStarts`; null if no comparison was requested.',
      resolve: ({ previousPoints }) => previousPoints as (number | null)[] | null,
    }),
  }),
});

const TrendsRef = memberObject<Trends>('Trends', {
  description: 'Event metrics by time bucket.',
  fields: t => ({
    ...expose(t, '[DateTime!]!', {
      bucketStarts:
        'The start of each bucket. The first and last buckets count only events within the range.',
    }),
    previousBucketStarts: t.field({
      type: ['DateTime'],
      nullable: true,
      description:
        'The start of each bucket of the previous period; null if no comparison was requested. The previous period can have more or fewer buckets than the requested range, because days begin at midnight and weeks begin on Monday.',
      resolve: ({ previousBucketStarts }) => previousBucketStarts as Date[] | null,
    }),
    ...expose(t, [TrendLineRef], {
      lines:
        'The lines, in the order of their series. The lines of one series are sorted by their number of events in the range, in descending order; the line that combines all other values, if any, comes last.',
    }),
    ...expose(t, 'String!', { sql: SQL_TEXT }),
  }),
});

seriesQuery('trends', {
  type: TrendsRef,
  description: `Event metrics for the viewer’s workspace, by time bucket, optionally broken down by property and compared with the previous period. The \`timestamp\` of an event determines its bucket. ${PERSON_TEXT}`,
  daysMax: TREND_DAYS_MAX.week,
  args: arg => ({
    bucket: arg({
      type: TrendBucketEnum,
      required: true,
      description: 'The length of a bucket, which determines the maximum range.',
    }),
    timeZone: arg.string({
      defaultValue: 'UTC',
      required: true,
      description: 'The IANA time zone of the buckets, such as Asia/Kolkata.',
    }),
    series: arg({
      type: [TrendSeriesInput],
      required: true,
      description: `The series: at least 1 and at most ${SERIES_MAX}.`,
    }),
    breakdowns: arg({
      type: [EventPropertyInput],
      description: `Groups each series by the values of up to ${BREAKDOWNS_MAX} properties.`,
    }),
    top: arg.int({
      defaultValue: TOP_DEFAULT,
      required: true,
      description: `The number of breakdown values per series that get their own line, from 1 to ${TREND_TOP_MAX}. The values with the most events are chosen.`,
    }),
    rest: arg({
      type: RestEnum,
      defaultValue: 'OTHER',
      required: true,
      description:
        'Whether breakdown values that are not among the top values share one line or are omitted.',
    }),
    isCompared: arg.boolean({
      defaultValue: false,
      required: true,
      description:
        'Whether to also measure the previous period, which has the same length and ends where the range starts.',
    }),
  }),
  read: (context, input) => trends(context, input),
});
