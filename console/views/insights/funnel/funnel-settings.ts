import { ANY_EVENT, type EventDraft } from '../../../pieces/event-match/event-draft.ts';
import type { ChosenRange, RangeLimits } from '../../../pieces/range/range.ts';
import { type Codec, eventOf, eventText, pairsOf, readRange, writeRange } from '../address.ts';

export type FunnelSettings = {
  readonly steps: readonly EventDraft[];
  readonly exclusions: readonly EventDraft[];
  /** From the first step to the last. */
  readonly windowSeconds: number;
  readonly breakdown: string;
  readonly range: ChosenRange;
  /** The step after which the drop-offs are listed, from 1; 0 for none. */
  readonly droppedAfter: number;
};

/** The maxima of the API. */
export const STEPS_MAX = 10;
export const EXCLUSIONS_MAX = 5;
const DAYS_MAX = 92;

export const STEPS_MIN = 2;

export const LIMITS: RangeLimits = {
  presets: ['week', 'month', 'quarter'],
  presetDefault: 'month',
  daysMax: DAYS_MAX,
};

const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;

export const WINDOWS = [
  { seconds: HOUR_SECONDS / 6, label: '10 minutes' },
  { seconds: HOUR_SECONDS, label: '1 hour' },
  { seconds: DAY_SECONDS, label: '1 day' },
  { seconds: 7 * DAY_SECONDS, label: '7 days' },
  { seconds: 30 * DAY_SECONDS, label: '30 days' },
  { seconds: DAYS_MAX * DAY_SECONDS, label: 'Any time' },
] as const;
const WINDOW_DEFAULT = 7 * DAY_SECONDS;

export const FUNNEL: Codec<FunnelSettings> = {
  read(params) {
    const steps = params.getAll('step').slice(0, STEPS_MAX).map(eventOf);
    const missing = Array.from({ length: STEPS_MIN - steps.length }, () => ANY_EVENT);
    const window = Number(params.get('window'));
    return {
      steps: steps.length < STEPS_MIN ? [...steps, ...missing] : steps,
      exclusions: params.getAll('without').slice(0, EXCLUSIONS_MAX).map(eventOf),
      windowSeconds: WINDOWS.find(({ seconds }) => seconds === window)?.seconds ?? WINDOW_DEFAULT,
      breakdown: params.get('by') ?? '',
      range: readRange(params),
      droppedAfter: Number(params.get('dropped')) || 0,
    };
  },
  write: ({ steps, exclusions, windowSeconds, breakdown, range, droppedAfter }) => [
    ...steps.map(step => ['step', eventText(step)] as const),
    ...exclusions.map(event => ['without', eventText(event)] as const),
    ...pairsOf({
      window: windowSeconds === WINDOW_DEFAULT ? null : String(windowSeconds),
      by: breakdown,
    }),
    ...writeRange(range),
    ...pairsOf({ dropped: droppedAfter === 0 ? null : String(droppedAfter) }),
  ],
};

/** A step that is not chosen yet is left out. */
export function chosenSteps({ steps }: FunnelSettings): readonly EventDraft[] {
  return steps.filter(isChosen);
}

export function isChosen({ name, filters }: EventDraft): boolean {
  return name.trim() !== '' || filters.length > 0;
}
