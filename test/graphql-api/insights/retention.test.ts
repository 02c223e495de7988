import { beforeAll, expect, test } from 'vitest';
import { createTenant, type Tenant } from '../../harness/tenant.ts';
import { useSharedApi } from '../harness/api-process.ts';
import { eventRow, insertRows, reportOf } from '../harness/report-rows.ts';
import { tokenFor } from '../harness/tokens.ts';

const api = useSharedApi();

const RETENTION = `query (
  $range: ReportRange!, $period: RetentionPeriod!, $kind: RetentionKind!
) {
  retention(
    range: $range, period: $period, kind: $kind,
    firstEvent: { name: "Signed Up" }, returningEvent: { name: "Order Completed" }
  ) { cohorts { start people returned } sql }
}`;

type Retention = {
  readonly cohorts: readonly { start: string; people: number; returned: readonly number[] }[];
};

const RANGE = { from: '2026-11-02T00:00:00Z', to: '2026-11-05T00:00:00Z' };

let tenant: Tenant;
beforeAll(async () => {
  tenant = await createTenant();
  const event = (name: string, day: string, user_id: string, anonymous_id = '') =>
    eventRow(tenant, { event: name, timestamp: `2026-11-${day}T12:00:00Z`, user_id, anonymous_id });
  await insertRows('events_raw', [
    event('Signed Up', '02', 'ann'),
    event('Signed Up', '02', 'ben'),
    event('Signed Up', '03', 'ann'),
    event('Signed Up', '03', '', 'visitor'),
    // An event without a person.
    event('Signed Up', '03', ''),
    event('Order Completed', '02', 'ben'),
    event('Order Completed', '03', 'ann', 'visitor'),
    event('Order Completed', '04', 'ann'),
    event('Order Completed', '04', 'ben'),
    event('Order Completed', '04', 'stranger'),
  ]);
});

test('people belong to the cohort of their first period', async () => {
  const variables = { range: RANGE, period: 'DAY', kind: 'FIRST_TIME' };
  const { cohorts } = await reportOf<Retention>(api(), tenant, RETENTION, variables);
  expect(cohorts).toEqual([
    { start: '2026-11-02T00:00:00.000Z', people: 2, returned: [1, 1, 2] },
    { start: '2026-11-03T00:00:00.000Z', people: 1, returned: [0, 0] },
    { start: '2026-11-04T00:00:00.000Z', people: 0, returned: [0] },
  ]);
});

test('or to the cohort of each period', async () => {
  const variables = { range: RANGE, period: 'DAY', kind: 'RECURRING' };
  const { cohorts } = await reportOf<Retention>(api(), tenant, RETENTION, variables);
  expect(cohorts.map(({ people, returned }) => [people, returned])).toEqual([
    [2, [1, 1, 2]],
    [2, [1, 1]],
    [0, [0]],
  ]);
});

test('by week', async () => {
  const variables = {
    range: { from: '2026-10-28T00:00:00Z', to: '2026-11-10T00:00:00Z' },
    period: 'WEEK',
    kind: 'FIRST_TIME',
  };
  const { cohorts } = await reportOf<Retention>(api(), tenant, RETENTION, variables);
  expect(cohorts).toEqual([
    { start: '2026-10-26T00:00:00.000Z', people: 0, returned: [0, 0, 0] },
    { start: '2026-11-02T00:00:00.000Z', people: 3, returned: [2, 0] },
    { start: '2026-11-09T00:00:00.000Z', people: 0, returned: [0] },
  ]);
});

test.for([
  ['DAY', '2026-05-01T00:00:00Z', '2026-07-03T00:00:00Z', 'range must be at most 62 days.'],
  ['WEEK', '2025-01-01T00:00:00Z', '2026-07-02T00:00:00Z', 'range must be at most 366 days.'],
])('a range by %s that is too long is refused', async ([period, from, to, message]) => {
  const { errors } = await api().graphql(RETENTION, {
    token: await tokenFor(tenant.organizationId),
    variables: { range: { from, to }, period, kind: 'FIRST_TIME' },
  });
  expect(errors?.[0]?.message).toBe(message);
  expect(errors?.[0]?.extensions?.reason).toBe('INVALID_RANGE');
});

test('the longest ranges fit', async () => {
  for (const [period, from, to] of [
    ['DAY', '2026-09-02T12:00:00Z', '2026-11-03T12:00:00Z'],
    ['WEEK', '2025-11-09T12:00:00Z', '2026-11-10T12:00:00Z'],
  ]) {
    const variables = { range: { from, to }, period, kind: 'RECURRING' };
    const { cohorts } = await reportOf<Retention>(api(), tenant, RETENTION, variables);
    expect(cohorts.reduce((sum, { people }) => sum + people, 0)).toBeGreaterThan(0);
  }
});
