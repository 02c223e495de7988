// Funnels of random events and inputs equal those of a slow reference implementation.

import { expect, test } from 'vitest';
import { funnel, funnelDropOffs } from '../../../graphql-api/insights/funnel.reads.ts';
import { rows as rowsOf } from '../../harness/warehouse.ts';
import { contextOf, useDeps } from '../harness/deps.ts';
import { compareTexts } from './event-match.reference.ts';
import { attemptsOf, funnelLines, randomFunnel } from './funnel.reference.ts';
import { DATA_SETS, forRandomData, RUNS_TIMEOUT, SEED } from './property-runs.ts';

const deps = useDeps();

test(`funnels equal a reference (TEST_SEED=${SEED}, ${DATA_SETS} data sets)`, {
  timeout: RUNS_TIMEOUT,
}, async () => {
  let stepsSeen = 0;
  await forRandomData(async (random, { tenant, rows }) => {
    const input = randomFunnel(random);
    const context = contextOf(deps(), tenant);
    const report = await funnel(context, input);
    const attempts = attemptsOf(rows, input);
    expect(report.lines, JSON.stringify(input)).toEqual(funnelLines(attempts, input));
    stepsSeen += attempts.reduce((sum, { timesMs }) => sum + timesMs.length, 0);

    const step = 1 + random.below(input.steps.length - 1);
    const page = { first: 2, after: null };
    const dropOffs = await funnelDropOffs(context, { ...input, step, ...page });
    const dropped = attempts.filter(({ timesMs }) => timesMs.length === step);
    const personIds = dropped.map(({ person }) => person).toSorted(compareTexts);
    expect(dropOffs.personIds).toEqual(personIds.slice(0, 2));
    expect(dropOffs.hasNextPage).toBe(personIds.length > 2);

    // The SQL returned with the report finds the same people.
    const pasted = await rowsOf<{ line: string; step: number; people: string }>(report.sql);
    for (const { line, step: at, people } of pasted)
      expect(report.lines[Number(line) - 1]!.steps[at - 1]!.people).toBe(Number(people));
    expect(await rowsOf<{ person: string }>(dropOffs.sql)).toEqual(
      personIds.slice(0, 3).map(person => ({ person })),
    );
  });
  expect(stepsSeen).toBeGreaterThan(DATA_SETS);
});
