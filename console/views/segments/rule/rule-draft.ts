// The rule of a segment as the form edits it: conditions, of which all or any must be met. Rules that
// are nested deeper are edited as JSON.

import { ANY_EVENT, type EventDraft, isSound } from '../../../pieces/event-match/event-draft.ts';
import { type TraitDraft, traitFault } from '../../../pieces/trait-match/trait-draft.ts';

export type RuleDraft = {
  readonly joiner: 'and' | 'or';
  readonly conditions: readonly ConditionDraft[];
};

export type ConditionDraft = EventCondition | TraitDraft;

/** The person did the event so often in the last days. */
export type EventCondition = {
  readonly kind: 'event';
  readonly event: EventDraft;
  readonly frequency: Frequency;
  readonly count: number | '';
  readonly days: number | '';
};

export const FREQUENCIES = {
  least: 'at least',
  most: 'at most',
  never: 'never',
} as const;

export type Frequency = keyof typeof FREQUENCIES;

/** The limits of the API. */
export const CONDITIONS_MAX = 20;
export const EVENT_CONDITIONS_MAX = 10;
export const DAYS_MAX = 366;
export const COUNT_MAX = 1_000_000;

const DAYS_DEFAULT = 30;

export const NEW_EVENT: EventCondition = {
  kind: 'event',
  event: ANY_EVENT,
  frequency: 'least',
  count: 1,
  days: DAYS_DEFAULT,
};

export const NEW_RULE: RuleDraft = { joiner: 'and', conditions: [NEW_EVENT] };

export type ConditionFault = {
  readonly field: 'count' | 'days' | 'filters' | 'trait' | 'value';
  readonly message: string;
};

export function conditionFault(condition: ConditionDraft): ConditionFault | undefined {
  return condition.kind === 'event' ? eventFault(condition) : traitFault(condition);
}

function eventFault(condition: EventCondition): ConditionFault | undefined {
  const { event, frequency, count, days } = condition;
  const countMin = frequency === 'least' ? 1 : 0;
  if (frequency !== 'never' && !isWhole(count, countMin, COUNT_MAX))
    return { field: 'count', message: `Enter a number from ${countMin}` };
  if (!isWhole(days, 1, DAYS_MAX)) return { field: 'days', message: `Enter 1 to ${DAYS_MAX} days` };
  // The filters show their own.
  return isSound(event) ? undefined : { field: 'filters', message: '' };
}

function isWhole(value: number | '', min: number, max: number): boolean {
  return value !== '' && Number.isInteger(value) && value >= min && value <= max;
}

/** What is wrong with the conditions together. */
export function ruleFault({ joiner, conditions }: RuleDraft): string | undefined {
  if (conditions.length === 0) return 'Add a condition.';
  const isNever = conditions.map(
    condition => condition.kind === 'trait' || condition.frequency !== 'least',
  );
  const needsEvent = joiner === 'and' ? isNever.every(Boolean) : isNever.some(Boolean);
  if (!needsEvent) return undefined;
  return joiner === 'and'
    ? 'Add an event that people did at least once. Segments only contain people with events.'
    : 'With “any”, each condition must be an event that people did at least once. Segments only contain people with events.';
}

export function isComplete(rule: RuleDraft): boolean {
  const isFine = rule.conditions.every(condition => conditionFault(condition) === undefined);
  return isFine && ruleFault(rule) === undefined;
}
