// The rule of a segment: conditions on the events of a person and comparisons of the person's traits,
// combined with and/or/not. The comparisons are those of audiences.

import { z } from 'zod';
import { type Comparison, comparisonFault } from '../../schema/campaign/audience.ts';
import { conditionsOf, type Fault, type Rule, ruleSchema } from '../../schema/campaign/rule.ts';
import { DAY_MS } from '../../schema/values/durations.ts';
import type { EventMatch } from '../insights/event-match.ts';
import { eventMatch, instant } from '../insights/insight.contract.ts';

export type SegmentRule = Rule<Comparison | EventCondition>;

/** A number of matching events of the person in a period. */
export type EventCondition = z.input<typeof eventConditionSchema>;

/** Each is one of the bits of a number, and a condition for each event that is read. */
export const EVENT_CONDITIONS_MAX = 10;
const RULE_CONDITIONS_MAX = 20;
export const RULE_LEVELS_MAX = 5;
/** A year, and a day of a leap year. */
export const RULE_DAYS_MAX = 366;
const COUNT_MAX = 1_000_000;

const eventConditionSchema = z
  .strictObject({
    event: eventMatch,
    at_least: z.int().min(1).max(COUNT_MAX).optional(),
    at_most: z.int().min(0).max(COUNT_MAX).optional(),
    within_days: z.int().min(1).max(RULE_DAYS_MAX).optional(),
    from: instant.optional(),
    to: instant.optional(),
  })
  .refine(({ at_least: least, at_most: most }) => (least ?? 0) <= (most ?? COUNT_MAX), {
    error: 'must not be greater than at_most.',
    path: ['at_least'],
  })
  .refine(({ from, to }) => (from === undefined) === (to === undefined), {
    error: 'must be set together with from.',
    path: ['to'],
  })
  .refine(({ within_days: days, from }) => (days === undefined) !== (from === undefined), {
    error: 'is required if from and to are omitted, and is not allowed otherwise.',
    path: ['within_days'],
  })
  .refine(
    ({ from, to }) => {
      const ms = Number(to ?? 1) - Number(from ?? 0);
      return ms > 0 && ms <= RULE_DAYS_MAX * DAY_MS;
    },
    { error: `must be after from and at most ${RULE_DAYS_MAX} days later.`, path: ['to'] },
  );

export const segmentRuleSchema = ruleSchema<Comparison | EventCondition>({
  conditionsMax: RULE_CONDITIONS_MAX,
  levelsMax: RULE_LEVELS_MAX,
  shapes: '{"event", "within_days"}, {"trait", "operator", "value"}',
  faultOf: value => ('event' in value ? eventFault(value) : comparisonFault(value)),
  wholeFault: rule => {
    if (eventConditionsOf(rule).length > EVENT_CONDITIONS_MAX)
      return `has more than ${EVENT_CONDITIONS_MAX} conditions on events.`;
    return canHoldWithoutEvents(rule)
      ? 'must require an event; otherwise, people without events would match. Add a condition such as {"event": {}, "within_days": 90}.'
      : undefined;
  },
});

/** An event condition as it is evaluated. */
export type CountedEvents = {
  readonly match: EventMatch;
  readonly atLeast: number;
  readonly atMost: number;
  readonly fromMs: number;
  readonly toMs: number;
};

/** Without numbers, the event must have happened. The last days end now; a day is 24 hours. */
export function countedEvents(condition: EventCondition, nowMs: number): CountedEvents {
  const {
    event: match,
    at_least: least,
    at_most: most,
    within_days: days,
    from,
    to,
  } = eventConditionSchema.parse(condition);
  return {
    match,
    atLeast: least ?? (most === undefined ? 1 : 0),
    atMost: most ?? Number.MAX_SAFE_INTEGER,
    fromMs: from?.getTime() ?? nowMs - days! * DAY_MS,
    toMs: to?.getTime() ?? nowMs,
  };
}

export function eventConditionsOf(rule: SegmentRule): EventCondition[] {
  return conditionsOf(rule).filter(one => 'event' in one);
}

export function comparisonsOf(rule: SegmentRule): Comparison[] {
  return conditionsOf(rule).filter(one => 'trait' in one);
}

type Folding<T> = {
  readonly every: (parts: readonly T[]) => T;
  readonly some: (parts: readonly T[]) => T;
  readonly event: (condition: EventCondition, isNegated: boolean) => T;
  /** A comparison of a trait, negated or not. */
  readonly trait: T;
};

/** Folds the rule with each `not` moved to the conditions. */
export function foldRule<T>(rule: SegmentRule, folding: Folding<T>, isNegated = false): T {
  const fold = (part: SegmentRule) => foldRule(part, folding, isNegated);
  if ('and' in rule) return (isNegated ? folding.some : folding.every)(rule.and.map(fold));
  if ('or' in rule) return (isNegated ? folding.every : folding.some)(rule.or.map(fold));
  if ('not' in rule) return foldRule(rule.not, folding, !isNegated);
  return 'event' in rule ? folding.event(rule, isNegated) : folding.trait;
}

/** Whether a person with none of the events can be a member because of their traits. */
function canHoldWithoutEvents(rule: SegmentRule): boolean {
  return foldRule<boolean>(rule, {
    every: parts => parts.every(Boolean),
    some: parts => parts.some(Boolean),
    event: (condition, isNegated) => (countedEvents(condition, 0).atLeast === 0) !== isNegated,
    trait: true,
  });
}

function eventFault(value: object): Fault | undefined {
  const parsed = eventConditionSchema.safeParse(value);
  if (parsed.success) return undefined;
  const { path, message } = parsed.error.issues[0]!;
  return { path: path.filter(name => typeof name !== 'symbol'), message };
}
