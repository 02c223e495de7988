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

/** The first of each is the default. */
export const PERIODS = ['WEEK', 'DAY'] as const;
export const KINDS = ['FIRST_TIME', 'RECURRING'] as const;

export type Period = (typeof PERIODS)[number];
export type Kind = (typeof KINDS)[number];

export type RetentionSettings = {
  readonly firstEvent: EventDraft;
  readonly returningEvent: EventDraft;
  readonly kind: Kind;
  readonly period: Period;
  readonly range: ChosenRange;
};

/** The longest ranges of the API. */
export const LIMITS: Readonly<Record<Period, RangeLimits>> = {
  DAY: { presets: ['week', 'month'], presetDefault: 'week', daysMax: 62 },
  WEEK: { presets: ['month', 'quarter', 'year'], presetDefault: 'quarter', daysMax: 366 },
};

export const RETENTION: Codec<RetentionSettings> = {
  read: params => ({
    firstEvent: eventIn(params, 'first'),
    returningEvent: eventIn(params, 'return'),
    kind: oneOf(KINDS, params.get('kind')),
    period: oneOf(PERIODS, params.get('each')),
    range: readRange(params),
  }),
  write: ({ firstEvent, returningEvent, kind, period, range }) => [
    ...pairsOf({
      first: eventText(firstEvent),
      return: eventText(returningEvent),
      kind: kind === KINDS[0] ? null : kind,
      each: period === PERIODS[0] ? null : period,
    }),
    ...writeRange(range),
  ],
};

function eventIn(params: URLSearchParams, name: string): EventDraft {
  const text = params.get(name);
  return text === null ? ANY_EVENT : eventOf(text);
}
