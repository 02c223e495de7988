import { ANY_EVENT, type EventDraft } from '../../../pieces/event-match/event-draft.ts';
import type { ChosenRange, RangeLimits } from '../../../pieces/range/range.ts';
import {
  type Codec,
  eventOf,
  eventText,
  oneOf,
  pairsOf,
  readRange,
  writeRange,
} from '../address.ts';
import type { Interval } from '../whole-intervals.ts';

export const MEASURES = {
  COUNT: 'Number of events',
  PEOPLE: 'Number of people',
  SUM: 'Sum of',
  AVERAGE: 'Average of',
  MIN: 'Minimum of',
  MAX: 'Maximum of',
  P50: 'Median of',
  P90: '90th percentile of',
  P95: '95th percentile of',
  P99: '99th percentile of',
} as const;

export type Measure = keyof typeof MEASURES;

export type TrendsSettings = {
  readonly events: readonly EventDraft[];
  readonly measure: Measure;
  /** The property that is measured, except for numbers of events and people. */
  readonly number: string;
  readonly interval: Interval;
  readonly breakdown: string;
  readonly isCompared: boolean;
  readonly range: ChosenRange;
};

/** The maximum of the API. */
export const EVENTS_MAX = 10;

/** The first of them is the default. */
export const INTERVALS: readonly Interval[] = ['DAY', 'HOUR', 'WEEK'];

/** The longest ranges of the API. */
export const LIMITS: Readonly<Record<Interval, RangeLimits>> = {
  HOUR: { presets: ['day', 'week', 'month'], presetDefault: 'day', daysMax: 31 },
  DAY: { presets: ['week', 'month', 'quarter'], presetDefault: 'month', daysMax: 92 },
  WEEK: { presets: ['month', 'quarter', 'year'], presetDefault: 'quarter', daysMax: 366 },
};

const MEASURE_NAMES = Object.keys(MEASURES) as Measure[];

export const needsNumber = (measure: Measure) => measure !== 'COUNT' && measure !== 'PEOPLE';

export const TRENDS: Codec<TrendsSettings> = {
  read(params) {
    const events = params.getAll('event').slice(0, EVENTS_MAX).map(eventOf);
    return {
      events: events.length === 0 ? [ANY_EVENT] : events,
      measure: oneOf(MEASURE_NAMES, params.get('measure')),
      number: params.get('of') ?? '',
      interval: oneOf(INTERVALS, params.get('each')),
      breakdown: params.get('by') ?? '',
      isCompared: params.get('compare') === 'before',
      range: readRange(params),
    };
  },
  write: ({ events, measure, number, interval, breakdown, isCompared, range }) => [
    ...events.map(event => ['event', eventText(event)] as const),
    ...pairsOf({
      measure: measure === MEASURE_NAMES[0] ? null : measure,
      of: number,
      each: interval === INTERVALS[0] ? null : interval,
      by: breakdown,
      compare: isCompared ? 'before' : null,
    }),
    ...writeRange(range),
  ],
};
