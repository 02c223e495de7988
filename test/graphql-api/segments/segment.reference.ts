// A reference implementation of rules, one person at a time, and a generator of random rules.

import { eventMatch } from '../../../graphql-api/insights/insight.contract.ts';
import type { EventCondition, SegmentRule } from '../../../graphql-api/segments/segment-rule.ts';
import type { Comparison } from '../../../schema/campaign/audience.ts';
import type { Random } from '../../harness/random.ts';
import type { Row } from '../harness/report-rows.ts';
import { DATA_DAYS, DATA_FROM_MS, eventsOnce, randomTimeMs } from '../insights/data-set.ts';
import { compareTexts, matches, randomMatch, timeMs } from '../insights/event-match.reference.ts';

const DAY_MS = 86_400_000;

type Traits = Readonly<Record<string, unknown>>;

export function membersOf(
  rows: readonly Row[],
  traits: Readonly<Record<string, Traits>>,
  rule: SegmentRule,
  nowMs: number,
): string[] {
  const events = eventsOnce(rows);
  const userIds = [...new Set(events.map(row => row.user_id as string))].filter(id => id !== '');
  return userIds
    .filter(userId =>
      isMember(
        events.filter(row => row.user_id === userId),
        traits[userId] ?? {},
        rule,
        nowMs,
      ),
    )
    .toSorted(compareTexts);
}

function isMember(
  events: readonly Row[],
  traits: Traits,
  rule: SegmentRule,
  nowMs: number,
): boolean {
  const holds = (part: SegmentRule) => isMember(events, traits, part, nowMs);
  if ('and' in rule) return rule.and.every(holds);
  if ('or' in rule) return rule.or.some(holds);
  if ('not' in rule) return !holds(rule.not);
  if ('trait' in rule) return meets(traits[rule.trait], rule);
  const fromMs =
    rule.from === undefined ? nowMs - rule.within_days! * DAY_MS : Date.parse(rule.from);
  const toMs = rule.to === undefined ? nowMs : Date.parse(rule.to);
  const match = eventMatch.parse(rule.event);
  const count = events.filter(
    row => timeMs(row) >= fromMs && timeMs(row) < toMs && matches(row, match),
  ).length;
  if (rule.at_least === undefined && rule.at_most === undefined) return count > 0;
  return count >= (rule.at_least ?? 0) && count <= (rule.at_most ?? count);
}

function meets(found: unknown, { operator, value }: Comparison): boolean {
  if (operator === 'eq') return found === value;
  if (operator === 'ne') return found !== value;
  return (found !== undefined && found !== null) === value;
}

export const TRAITS: readonly Traits[] = [{ plan: 'pro' }, { plan: 'free' }, { plan: null }, {}];

/** May return a rule that people without events match. */
export function randomRule(random: Random): SegmentRule {
  const rule = randomPart(random, 3);
  return random.below(2) === 0 ? rule : { and: [randomCondition(random), rule] };
}

function randomPart(random: Random, levels: number): SegmentRule {
  const parts = () =>
    Array.from({ length: 1 + random.below(3) }, () => randomPart(random, levels - 1));
  const shape = levels === 0 ? 0 : random.below(6);
  if (shape === 3) return { and: parts() };
  if (shape === 4) return { or: parts() };
  if (shape === 5) return { not: randomPart(random, levels - 1) };
  return shape === 2 ? randomComparison(random) : randomCondition(random);
}

function randomComparison(random: Random): Comparison {
  return random.pick<Comparison>([
    { trait: 'plan', operator: 'eq', value: 'pro' },
    { trait: 'plan', operator: 'ne', value: 'pro' },
    { trait: 'plan', operator: 'exists', value: random.below(2) === 0 },
  ]);
}

function randomCondition(random: Random): EventCondition {
  const times = random.pick([
    {},
    {},
    { at_least: 1 + random.below(3) },
    { at_most: random.below(3) },
    { at_least: 2, at_most: 3 },
  ]);
  return { event: inRestWords(randomMatch(random)), ...times, ...randomPeriod(random) };
}

function randomPeriod(random: Random): Pick<EventCondition, 'within_days' | 'from' | 'to'> {
  if (random.below(2) === 0) return { within_days: 1 + random.below(DATA_DAYS) };
  const [from, to] = [randomTimeMs(random), randomTimeMs(random)].toSorted((a, b) => a - b);
  return { from: new Date(from!).toISOString(), to: new Date(to! + 1).toISOString() };
}

/** A time within the data, so that some events are in the future. */
export function randomNowMs(random: Random): number {
  return DATA_FROM_MS + DAY_MS + random.below((DATA_DAYS - 1) * DAY_MS);
}

const REST_WORDS: Readonly<Record<string, string>> = {
  greaterThan: 'greater_than',
  atLeast: 'at_least',
  lessThan: 'less_than',
  atMost: 'at_most',
};

function inRestWords({ name, filters }: ReturnType<typeof randomMatch>): EventCondition['event'] {
  const inWords = (filter: object) =>
    Object.fromEntries(
      Object.entries(filter).map(([key, value]) => [REST_WORDS[key] ?? key, value]),
    );
  return {
    ...(name != null && { name }),
    ...(filters && { filters: filters.map(inWords) as never }),
  };
}
