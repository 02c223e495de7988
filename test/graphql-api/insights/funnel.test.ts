import { beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../harness/eventually.ts';
import { createTenant, type Tenant } from '../../harness/tenant.ts';
import { useSharedApi } from '../harness/api-process.ts';
import { eventRow, insertRows, reportOf } from '../harness/report-rows.ts';
import { tokenFor } from '../harness/tokens.ts';

const api = useSharedApi();

const FUNNEL = `query (
  $range: ReportRange!, $steps: [EventMatch!]!, $windowSeconds: Int!, $exclusions: [EventMatch!],
  $breakdown: EventProperty, $top: Int!
) {
  funnel(
    range: $range, steps: $steps, windowSeconds: $windowSeconds, exclusions: $exclusions,
    breakdown: $breakdown, top: $top
  ) {
    lines {
      value isRest
      steps { step people conversionFromFirst conversionFromPrevious medianSecondsFromPrevious }
    }
    sql
  }
}`;

const DROP_OFFS = `query (
  $range: ReportRange!, $steps: [EventMatch!]!, $windowSeconds: Int!, $step: Int!, $first: Int!, $after: String
) {
  funnelDropOffs(
    range: $range, steps: $steps, windowSeconds: $windowSeconds, step: $step, first: $first, after: $after
  ) { personIds hasNextPage endCursor sql }
}`;

type Funnel = {
  readonly lines: readonly {
    readonly value: string | null;
    readonly isRest: boolean;
    readonly steps: readonly { readonly people: number }[];
  }[];
};
type DropOffs = {
  readonly personIds: readonly string[];
  readonly hasNextPage: boolean;
  readonly endCursor: string | null;
};

const STEPS = [{ name: 'Visit' }, { name: 'Cart' }, { name: 'Order' }];
const INPUT = {
  range: { from: '2026-11-02T00:00:00Z', to: '2026-11-09T00:00:00Z' },
  steps: STEPS,
  windowSeconds: 3_600,
  top: 10,
};

let tenant: Tenant;
beforeAll(async () => {
  tenant = await createTenant();
  const event = (name: string, time: string, user_id: string, plan?: string) =>
    eventRow(tenant, {
      event: name,
      timestamp: `2026-11-02T${time}Z`,
      user_id,
      properties: plan === undefined ? '' : JSON.stringify({ plan }),
    });
  await insertRows('events_raw', [
    // All steps; the second attempt is within the window.
    event('Visit', '09:00:00', 'ann', 'free'),
    event('Visit', '12:00:00', 'ann', 'pro'),
    event('Cart', '12:10:00', 'ann'),
    event('Order', '13:00:00', 'ann'),
    // All steps, but the last one is a millisecond late.
    event('Visit', '12:00:00', 'ben', 'pro'),
    event('Cart', '12:20:00', 'ben'),
    event('Order', '13:00:00.001', 'ben'),
    // In the wrong order.
    event('Cart', '11:00:00', 'cleo'),
    event('Visit', '12:00:00', 'cleo', 'free'),
    // All at the same time.
    event('Order', '12:00:00', 'dan'),
    event('Visit', '12:00:00', 'dan', 'free'),
    event('Cart', '12:00:00', 'dan'),
    // With another event in between.
    event('Visit', '12:00:00', 'eve', 'free'),
    event('Refusal', '12:01:00', 'eve'),
    event('Cart', '12:02:00', 'eve'),
    // Without the first step.
    event('Order', '12:00:00', 'finn'),
  ]);
});

function peopleOf({ lines }: Funnel) {
  return lines.map(({ value, steps }) => [value, ...steps.map(({ people }) => people)]);
}

describe('a funnel', () => {
  test('counts people by step, with conversion and the median time', async () => {
    const { lines } = await reportOf<Funnel>(api(), tenant, FUNNEL, INPUT);
    expect(lines).toEqual([
      {
        value: null,
        isRest: false,
        steps: [
          {
            step: 1,
            people: 5,
            conversionFromFirst: 1,
            conversionFromPrevious: 1,
            medianSecondsFromPrevious: null,
          },
          {
            step: 2,
            people: 4,
            conversionFromFirst: 0.8,
            conversionFromPrevious: 0.8,
            // The median of 0, 120, 600 and 1,200 s.
            medianSecondsFromPrevious: 600,
          },
          {
            step: 3,
            people: 2,
            conversionFromFirst: 0.4,
            conversionFromPrevious: 0.5,
            medianSecondsFromPrevious: 3_000,
          },
        ],
      },
    ]);
  });

  test('excludes attempts with an excluded event between two steps', async () => {
    const exclusions = [{ name: 'Refusal' }];
    const report = await reportOf<Funnel>(api(), tenant, FUNNEL, { ...INPUT, exclusions });
    expect(peopleOf(report)).toEqual([[null, 5, 3, 2]]);
  });

  test('is grouped by a property of the first event of the attempt', async () => {
    const breakdown = { properties: ['plan'] };
    const report = await reportOf<Funnel>(api(), tenant, FUNNEL, { ...INPUT, breakdown });
    expect(peopleOf(report)).toEqual([
      ['free', 3, 2, 1],
      ['pro', 2, 2, 1],
    ]);
    const top = await reportOf<Funnel>(api(), tenant, FUNNEL, { ...INPUT, breakdown, top: 1 });
    expect(top.lines.map(({ value, isRest }) => [value, isRest])).toEqual([
      ['free', false],
      [null, true],
    ]);
  });

  test('without people has zeros', async () => {
    const steps = [{ name: 'Nobody Did This' }, { name: 'Order' }];
    const { lines } = await reportOf<Funnel>(api(), tenant, FUNNEL, { ...INPUT, steps });
    const nobody = { people: 0, conversionFromFirst: null, conversionFromPrevious: null };
    expect(lines).toMatchObject([{ steps: [nobody, nobody] }]);
  });
});

test('drop-offs at a step are listed page by page', async () => {
  const steps = [{ name: 'Visit' }, { name: 'Nobody Did This' }];
  const seen: string[] = [];
  let after: string | null = null;
  do {
    const page: DropOffs = await reportOf(api(), tenant, DROP_OFFS, {
      ...INPUT,
      steps,
      step: 1,
      first: 2,
      after,
    });
    seen.push(...page.personIds);
    after = page.hasNextPage ? page.endCursor : null;
  } while (after !== null);
  expect(seen).toEqual(['ann', 'ben', 'cleo', 'dan', 'eve']);
  const second = await reportOf<DropOffs>(api(), tenant, DROP_OFFS, {
    ...INPUT,
    step: 2,
    first: 5,
  });
  expect(second).toMatchObject({ personIds: ['ben', 'eve'], hasNextPage: false });
});

describe('limits', () => {
  const page = { step: 1, first: 10 };
  test.for([
    [{ steps: [{ name: 'Visit' }] }, 'BAD_USER_INPUT', 'steps must have 2 to 10 items.'],
    [
      { steps: Array.from({ length: 11 }, () => ({})) },
      'BAD_USER_INPUT',
      'steps must have 2 to 10 items.',
    ],
    [
      { windowSeconds: 0 },
      'BAD_USER_INPUT',
      'windowSeconds must be between 1 and 7948800 (92 days).',
    ],
    [{ step: 3 }, 'BAD_USER_INPUT', 'step must be between 1 and 2; the last step is not allowed.'],
    [{ after: '%' }, 'INVALID_PAGE', undefined],
    [{ first: 101 }, 'INVALID_PAGE', undefined],
    [
      { range: { from: '2026-01-01T00:00:00Z', to: '2026-06-01T00:00:00Z' } },
      'INVALID_RANGE',
      'range must be at most 92 days.',
    ],
  ] as const)('%j is refused', async ([variables, reason, message]) => {
    const { errors } = await api().graphql(DROP_OFFS, {
      token: await tokenFor(tenant.organizationId),
      variables: { ...INPUT, ...page, ...variables },
    });
    const { code, reason: detail = code } = errors?.[0]?.extensions ?? {};
    expect(detail).toBe(reason);
    if (message !== undefined) expect(errors?.[0]?.message).toBe(message);
  });

  test('a statement that ClickHouse could not parse is refused', async () => {
    const properties = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];
    const filter = { property: { properties }, equals: '', in: [''], exists: true, atLeast: 0 };
    const stepsOf = (filters: number) => ({
      ...INPUT,
      steps: Array.from({ length: 10 }, () => ({
        filters: Array.from({ length: filters }, () => filter),
      })),
    });
    const token = await tokenFor(tenant.organizationId);
    const { errors } = await api().graphql(FUNNEL, { token, variables: stepsOf(10) });
    expect(errors?.[0]?.message).toBe(
      'The report has too many conditions. Use fewer filters or shorter paths.',
    );
    // On a busy machine, a statement of this size may first exceed the time limit of reports.
    await eventually(() => reportOf<Funnel>(api(), tenant, FUNNEL, stepsOf(4)));
  });

  test('the largest funnel fits', async () => {
    const filters = Array.from({ length: 10 }, () => ({
      property: { properties: ['plan'] },
      in: ['pro', 'free'],
    }));
    const largest = {
      ...INPUT,
      range: { from: '2026-09-01T00:00:00Z', to: '2026-12-02T00:00:00Z' },
      steps: Array.from({ length: 10 }, () => ({ name: 'Visit', filters })),
      exclusions: STEPS,
      windowSeconds: 92 * 86_400,
    };
    // On a busy machine, it may first exceed the time limit of reports.
    const { lines } = await eventually(() => reportOf<Funnel>(api(), tenant, FUNNEL, largest));
    expect(lines[0]!.steps.map(({ people }) => people)).toEqual([5, 1, 0, 0, 0, 0, 0, 0, 0, 0]);
  });
});
