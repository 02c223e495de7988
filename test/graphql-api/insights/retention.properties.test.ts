// Retention of random events and inputs equals that of a slow reference implementation.

import { expect, test } from 'vitest';
import { type RetentionInput, retention } from '../../../graphql-api/insights/retention.reads.ts';
import type { Random } from '../../harness/random.ts';
import { rows as rowsOf } from '../../harness/warehouse.ts';
import { contextOf, useDeps } from '../harness/deps.ts';
import type { Row } from '../harness/report-rows.ts';
import { DATA_DAYS, DATA_FROM_MS, eventsOnce } from './data-set.ts';
import { matches, personOf, randomMatch, timeMs } from './event-match.reference.ts';
import { DATA_SETS, forRandomData, RUNS_TIMEOUT, SEED } from './property-runs.ts';

const deps = useDeps();
const DAY_MS = 86_400_000;

function randomRetention(random: Random): RetentionInput {
  const fromMs = DATA_FROM_MS - 2 * DAY_MS + random.below(DATA_DAYS * DAY_MS);
  const toMs = fromMs + 1 + random.below(random.pick([DATA_DAYS, 60]) * DAY_MS);
  return {
    range: { from: new Date(fromMs), to: new Date(toMs) },
    period: random.pick(['day', 'week'] as const),
    timeZone: random.pick(['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'America/New_York']),
    firstEvent: randomMatch(random),
    returningEvent: randomMatch(random),
    kind: random.pick(['FIRST_TIME', 'RECURRING'] as const),
  };
}

/** Computed for each cohort, person and period. */
function cohortsOf(rows: readonly Row[], input: RetentionInput, starts: readonly number[]) {
  const { range, firstEvent, returningEvent, kind } = input;
  const events = eventsOnce(rows).filter(
    row => timeMs(row) >= range.from.getTime() && timeMs(row) < range.to.getTime(),
  );
  const periodOf = (row: Row) => starts.findLastIndex(start => start <= timeMs(row));
  const people = [...new Set(events.map(personOf).filter(Boolean))];
  const periodsOf = (person: string, match: typeof firstEvent) =>
    events.filter(row => personOf(row) === person && matches(row, match)).map(periodOf);
  return starts.map((start, cohort) => {
    const members = people.filter(person => {
      const periods = periodsOf(person, firstEvent);
      return kind === 'RECURRING' ? periods.includes(cohort) : Math.min(...periods) === cohort;
    });
    const returned = starts
      .slice(cohort)
      .map(
        (_, at) =>
          members.filter(one => periodsOf(one, returningEvent).includes(cohort + at)).length,
      );
    return { start: new Date(start), people: members.length, returned };
  });
}

test(`retention equals a reference (TEST_SEED=${SEED}, ${DATA_SETS} data sets)`, {
  timeout: RUNS_TIMEOUT,
}, async () => {
  let peopleSeen = 0;
  await forRandomData(async (random, { tenant, rows }) => {
    const input = randomRetention(random);
    const report = await retention(contextOf(deps(), tenant), input);
    const starts = report.cohorts.map(({ start }) => start.getTime());
    expect(report.cohorts, JSON.stringify(input)).toEqual(cohortsOf(rows, input, starts));

    // The SQL returned with the report returns the same cohorts.
    const pasted = await rowsOf<{ cohort: number; people: string; returned: string[] }>(report.sql);
    for (const { cohort, people, returned } of pasted) {
      const shown = report.cohorts[cohort]!;
      expect([Number(people), returned.map(Number)]).toEqual([shown.people, shown.returned]);
      peopleSeen += shown.people;
    }
  });
  expect(peopleSeen).toBeGreaterThan(DATA_SETS);
});
