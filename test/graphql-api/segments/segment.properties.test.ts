// The members of random rules equal those of a slow reference implementation, for random events
// with repeats and late arrivals.

import { expect, test } from 'vitest';
import { evaluateRule } from '../../../graphql-api/segments/segment.evaluate.ts';
import { segmentRuleSchema } from '../../../graphql-api/segments/segment-rule.ts';
import { createContact } from '../../harness/campaign.ts';
import { rows as rowsOf } from '../../harness/warehouse.ts';
import { contextOf, useDeps } from '../harness/deps.ts';
import { DATA_SETS, forRandomData, isLong, RUNS_TIMEOUT, SEED } from '../insights/property-runs.ts';
import { membersOf, randomNowMs, randomRule, TRAITS } from './segment.reference.ts';

const deps = useDeps();

test(`members equal a reference (TEST_SEED=${SEED}, ${DATA_SETS} data sets)`, {
  timeout: RUNS_TIMEOUT,
}, async () => {
  const traitsOf = new Map<string, Record<string, Record<string, unknown>>>();
  let seen = 0;
  let narrowed = 0;
  await forRandomData(async (random, { tenant, rows }) => {
    const { workspaceId } = tenant;
    let traits = traitsOf.get(workspaceId);
    if (traits === undefined) {
      traits = { u1: random.pick(TRAITS), u4: random.pick(TRAITS) };
      traitsOf.set(workspaceId, traits);
      for (const userId of Object.keys(traits))
        await createContact(workspaceId, { userId, traits: traits[userId] });
    }
    let rule = randomRule(random);
    while (!segmentRuleSchema.safeParse(rule).success) rule = randomRule(random);
    const nowMs = randomNowMs(random);
    const context = contextOf(deps(), tenant);
    const { userIds, sql } = await evaluateRule(context, rule, nowMs);
    await context.finish();
    expect(userIds, JSON.stringify({ rule, nowMs })).toEqual(membersOf(rows, traits, rule, nowMs));
    seen += userIds.length;

    // The returned SQL finds the same people, plus those excluded only by their traits.
    const [pasted] = await rowsOf<{ user_ids: string[] }>(sql);
    if (JSON.stringify(rule).includes('"trait"')) {
      expect(pasted!.user_ids).toEqual(expect.arrayContaining([...userIds]));
      narrowed += pasted!.user_ids.length - userIds.length;
    } else expect(pasted!.user_ids).toEqual(userIds);
  });
  // A short run must find someone; how many is random.
  expect(seen).toBeGreaterThan(isLong ? DATA_SETS / 2 : 0);
  // Too rare for each short run to contain such a person; segments.test.ts has an example.
  if (isLong) expect(narrowed).toBeGreaterThan(0);
});
