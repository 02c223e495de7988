// A reference implementation of funnels: every attempt of every person, event by event.

import type { FunnelInput, FunnelLine } from '../../../graphql-api/insights/funnel.reads.ts';
import type { Random } from '../../harness/random.ts';
import type { Row } from '../harness/report-rows.ts';
import { DATA_DAYS, DATA_FROM_MS, eventsOnce } from './data-set.ts';
import {
  compareTexts,
  matches,
  personOf,
  randomMatch,
  randomProperty,
  textIn,
  timeMs,
} from './event-match.reference.ts';

const DAY_MS = 86_400_000;
const DAY_SECONDS = 86_400;

export function randomFunnel(random: Random): FunnelInput {
  const fromMs = DATA_FROM_MS - DAY_MS + random.below(4 * DAY_MS);
  const toMs = fromMs + 1 + random.below(DATA_DAYS * DAY_MS);
  const matchesOf = (count: number) => Array.from({ length: count }, () => randomMatch(random));
  return {
    range: { from: new Date(fromMs), to: new Date(toMs) },
    steps: matchesOf(2 + random.below(random.pick([2, 2, 4, 9]))),
    windowSeconds: random.pick([1, 8.4 * 3600, DAY_SECONDS, 3 * DAY_SECONDS, 30 * DAY_SECONDS]),
    exclusions: random.pick([null, [], matchesOf(1), matchesOf(2)]),
    breakdown: random.pick([null, randomProperty(random)]),
    top: 1 + random.below(3),
  };
}

export type Attempt = {
  readonly person: string;
  readonly timesMs: number[];
  readonly value: string | null;
};

/** The furthest attempt of each person; of several, the first. */
export function attemptsOf(rows: readonly Row[], input: FunnelInput): Attempt[] {
  const [fromMs, toMs] = [input.range.from.getTime(), input.range.to.getTime()];
  const events = eventsOnce(rows).filter(row => timeMs(row) >= fromMs && timeMs(row) < toMs);
  const people = Map.groupBy(events.filter(personOf), personOf);
  return [...people].flatMap(([person, own]) => {
    const attempts = attemptsOfPerson(own, input);
    const furthest = Math.max(...attempts.map(({ timesMs }) => timesMs.length));
    const best = attempts.find(({ timesMs }) => timesMs.length === furthest);
    return best ? [{ person, ...best }] : [];
  });
}

function attemptsOfPerson(own: readonly Row[], input: FunnelInput) {
  const { steps, windowSeconds, breakdown } = input;
  const exclusions = own.filter(row => (input.exclusions ?? []).some(event => matches(row, event)));
  const breakdownOf = (row: Row) =>
    breakdown && matches(row, steps[0]!) ? textIn(row, breakdown) : null;
  const stepsOf = (row: Row) => steps.flatMap((step, at) => (matches(row, step) ? [at] : []));
  const bitsOf = (row: Row) => stepsOf(row).reduce((bits, at) => bits + 2 ** at, 0);
  const ordered = own
    .filter(row => stepsOf(row).length > 0)
    .toSorted(
      (a, b) =>
        timeMs(a) - timeMs(b) ||
        stepsOf(a)[0]! - stepsOf(b)[0]! ||
        bitsOf(a) - bitsOf(b) ||
        // The order of exclusions and of values only determines which value is shown.
        Number(exclusions.includes(a)) - Number(exclusions.includes(b)) ||
        compareTexts(breakdownOf(a), breakdownOf(b)),
    );
  return ordered.flatMap((start, at) => {
    if (!matches(start, steps[0]!)) return [];
    const timesMs = [timeMs(start)];
    let position = at;
    for (const step of steps.slice(1)) {
      const next = ordered.findIndex((row, index) => index > position && matches(row, step));
      if (next === -1) break;
      const [before, after] = [timesMs.at(-1)!, timeMs(ordered[next]!)];
      if (after - timesMs[0]! > windowSeconds * 1000) break;
      if (exclusions.some(row => timeMs(row) > before && timeMs(row) < after)) break;
      timesMs.push(after);
      position = next;
    }
    return [{ timesMs, value: breakdownOf(start) }];
  });
}

export function funnelLines(attempts: readonly Attempt[], input: FunnelInput): FunnelLine[] {
  const byValue = Map.groupBy(attempts, ({ value }) => value);
  if (input.breakdown == null && byValue.size === 0) byValue.set(null, []);
  const ranked = [...byValue].toSorted(
    ([value, people], [other, others]) =>
      others.length - people.length || compareTexts(value, other),
  );
  const rest = ranked.slice(input.top).flatMap(([, people]) => people);
  const lines = ranked
    .slice(0, input.top)
    .map(([value, people]) => ({ value, isRest: false, steps: stepsOf(people, input) }));
  return rest.length === 0
    ? lines
    : [...lines, { value: null, isRest: true, steps: stepsOf(rest, input) }];
}

function stepsOf(attempts: readonly Attempt[], { steps }: FunnelInput) {
  const reached = steps.map((_, at) => attempts.filter(({ timesMs }) => timesMs.length > at));
  return steps.map((_, at) => {
    const [people, first, previous] = [reached[at]!, reached[0]!, reached[Math.max(at - 1, 0)]!];
    const gaps = people
      .map(({ timesMs }) => timesMs[at]! - timesMs[at - 1]!)
      .toSorted((a, b) => a - b);
    return {
      step: at + 1,
      people: people.length,
      conversionFromFirst: first.length === 0 ? null : people.length / first.length,
      conversionFromPrevious: previous.length === 0 ? null : people.length / previous.length,
      medianSecondsFromPrevious:
        at === 0 || gaps.length === 0 ? null : gaps[Math.floor(gaps.length / 2)]! / 1000,
    };
  });
}
