import { beforeAll, describe, expect, test } from 'vitest';
import { createTenant, type Tenant } from '../../harness/tenant.ts';
import { rows } from '../../harness/warehouse.ts';
import { useSharedApi } from '../harness/api-process.ts';
import { eventRow, insertRows, type Row, reportOf } from '../harness/report-rows.ts';
import { tokenFor } from '../harness/tokens.ts';

const api = useSharedApi();

const TRENDS = `query (
  $range: ReportRange!, $bucket: TrendBucket!, $series: [TrendSeries!]!, $breakdowns: [EventProperty!],
  $top: Int!, $rest: TrendRest!, $isCompared: Boolean!, $timeZone: String!
) {
  trends(
    range: $range, bucket: $bucket, series: $series, breakdowns: $breakdowns,
    top: $top, rest: $rest, isCompared: $isCompared, timeZone: $timeZone
  ) {
    bucketStarts previousBucketStarts sql
    lines { series values isRest total points previousTotal previousPoints }
  }
}`;

const DEFAULTS = { bucket: 'DAY', top: 10, rest: 'OTHER', isCompared: false, timeZone: 'UTC' };
const RANGE = { from: '2026-11-02T00:00:00Z', to: '2026-11-05T00:00:00Z' };
const COUNT = { series: [{ event: { name: 'Order Completed' } }] };

type Line = {
  readonly series: number;
  readonly values: readonly (string | null)[];
  readonly isRest: boolean;
  readonly total: number | null;
  readonly points: readonly (number | null)[];
  readonly previousTotal: number | null;
  readonly previousPoints: readonly (number | null)[] | null;
};
type Trends = {
  readonly bucketStarts: readonly string[];
  readonly previousBucketStarts: readonly string[] | null;
  readonly lines: readonly Line[];
  readonly sql: string;
};

let tenant: Tenant;
beforeAll(async () => {
  tenant = await createTenant();
  const order = (at: string, person: Row, total: unknown, plan?: string) =>
    eventRow(tenant, { timestamp: at, ...person, properties: JSON.stringify({ total, plan }) });
  const [ann, ben] = [{ user_id: 'ann', anonymous_id: 'phone-1' }, { user_id: 'ben' }];
  const visitor = { user_id: '', anonymous_id: 'visitor' };
  await insertRows('events_raw', [
    order('2026-10-30T12:00:00Z', ann, 5, 'pro'),
    order('2026-11-02T00:00:00Z', ann, 10, 'pro'),
    order('2026-11-02T23:59:59.999Z', ann, 20.5, 'pro'),
    order('2026-11-02T12:00:00Z', ben, '30', 'free'),
    order('2026-11-04T12:00:00Z', visitor, 2, undefined),
    order('2026-11-05T00:00:00Z', ann, 99, 'pro'),
    eventRow(tenant, { event: 'Cart Updated', timestamp: '2026-11-03T12:00:00Z', ...ben }),
  ]);
});

function trendsOf(variables: object): Promise<Trends> {
  return reportOf<Trends>(api(), tenant, TRENDS, { range: RANGE, ...DEFAULTS, ...variables });
}

async function refusalOf(variables: object) {
  const { errors } = await api().graphql(TRENDS, {
    token: await tokenFor(tenant.organizationId, { roles: ['member'] }),
    variables: { range: RANGE, ...DEFAULTS, ...COUNT, ...variables },
  });
  return [errors?.[0]?.extensions?.reason ?? errors?.[0]?.extensions?.code, errors?.[0]?.message];
}

describe('trends', () => {
  test('count events and people, and measure numbers, by day', async () => {
    const event = { name: 'Order Completed' };
    const number = { properties: ['total'] };
    const { bucketStarts, lines } = await trendsOf({
      series: [
        { event },
        { event, measure: 'PEOPLE' },
        { event, measure: 'SUM', number },
        { event, measure: 'AVERAGE', number },
        { event, measure: 'P50', number },
        { event: {}, measure: 'COUNT' },
        { event: { name: 'Nobody Did This' } },
      ],
    });
    expect(bucketStarts).toEqual([
      '2026-11-02T00:00:00.000Z',
      '2026-11-03T00:00:00.000Z',
      '2026-11-04T00:00:00.000Z',
    ]);
    // The string "30" is not a number.
    expect(lines.map(({ points, total }) => [...points, total])).toEqual([
      [3, 0, 1, 4],
      [2, 0, 1, 3],
      [30.5, 0, 2, 32.5],
      [15.25, null, 2, 32.5 / 3],
      [20.5, null, 2, 10],
      [3, 1, 1, 5],
      [0, 0, 0, 0],
    ]);
  });

  test('are grouped by property, most frequent value first, with the rest in one line or omitted', async () => {
    const variables = { ...COUNT, breakdowns: [{ properties: ['plan'] }], top: 1 };
    const { lines } = await trendsOf(variables);
    expect(lines.map(({ values, isRest, points }) => [values, isRest, points])).toEqual([
      [['pro'], false, [2, 0, 0]],
      [[], true, [1, 0, 1]],
    ]);
    const omitted = await trendsOf({ ...variables, rest: 'OMITTED' });
    expect(omitted.lines.map(({ values }) => values)).toEqual([['pro']]);
    const all = await trendsOf({ ...variables, top: 3 });
    expect(all.lines.map(({ values }) => values)).toEqual([['pro'], ['free'], [null]]);
  });

  test('are compared with the previous period of the same length', async () => {
    const { previousBucketStarts, lines } = await trendsOf({ ...COUNT, isCompared: true });
    expect(previousBucketStarts).toEqual([
      '2026-10-30T00:00:00.000Z',
      '2026-10-31T00:00:00.000Z',
      '2026-11-01T00:00:00.000Z',
    ]);
    expect(lines).toMatchObject([
      { total: 4, points: [3, 0, 1], previousTotal: 1, previousPoints: [1, 0, 0] },
    ]);
  });

  test('are filtered by a number and by a list of texts', async () => {
    const filters = [
      { property: { properties: ['plan'] }, in: ['pro', 'free'] },
      { property: { properties: ['total'] }, greaterThan: 10 },
    ];
    const { lines } = await trendsOf({ series: [{ event: { filters } }] });
    expect(lines[0]!.points).toEqual([1, 0, 0]);
  });

  test('handle sums outside the range of a double, and JSON that ClickHouse cannot parse', async () => {
    const name = 'Odd Numbers';
    const odd = (properties: string) =>
      eventRow(tenant, { event: name, timestamp: '2026-11-03T12:00:00Z', properties });
    await insertRows('events_raw', [
      odd('{"huge":1e308,"large":9007199254740993}'),
      odd('{"huge":1e308,"twice":1,"twice":2}'),
      odd('{"twice":5,"integer":123456789012345678901234567890}'),
      odd('{"twice":5,"text":"\\ud800"}'),
    ]);
    const sumOf = (key: string) => ({
      event: { name },
      measure: 'SUM',
      number: { properties: [key] },
    });
    const { lines } = await trendsOf({
      series: [sumOf('huge'), sumOf('twice'), { event: { name } }],
    });
    expect(lines.map(({ total }) => total)).toEqual([null, 1, 4]);
    const breakdowns = [{ properties: ['large'] }];
    const byLarge = await trendsOf({ series: [{ event: { name } }], breakdowns });
    expect(byLarge.lines.map(({ values }) => values)).toEqual([[null], ['9007199254740993']]);
  });

  test('the statement that is shown can be pasted', async () => {
    const name = `it's \\ "quoted" {p1:String}`;
    await insertRows('events_raw', [
      eventRow(tenant, { event: name, timestamp: '2026-11-03T12:00:00Z' }),
    ]);
    const { sql, lines } = await trendsOf({ series: [{ event: { name } }] });
    expect(lines[0]!.points).toEqual([0, 1, 0]);
    const found = await rows<{ bucket: number; value: number }>(sql);
    expect(found.map(({ bucket, value }) => [bucket, value])).toEqual([
      [0, 1],
      [Date.UTC(2026, 10, 3) / 1000, 1],
    ]);
  });
});

describe('limits', () => {
  const number = { properties: ['total'] };
  const event = { name: 'Order Completed' };
  test.for([
    [{ series: [] }, 'BAD_USER_INPUT', 'series must have 1 to 10 items.'],
    [{ top: 51 }, 'BAD_USER_INPUT', 'top must be between 1 and 50.'],
    [
      { breakdowns: [number, number, number] },
      'BAD_USER_INPUT',
      'breakdowns must have at most 2 items.',
    ],
    [
      { series: [{ event, measure: 'SUM' }] },
      'BAD_USER_INPUT',
      'SUM needs a `number`, such as {"properties": ["total"]}.',
    ],
    [{ series: [{ event, number }] }, 'BAD_USER_INPUT', 'COUNT does not accept `number`.'],
    [
      { series: [{ event, measure: 'SUM', number: { column: 'USER_ID' } }] },
      'BAD_USER_INPUT',
      'A number must come from `properties` or `context`, because columns contain text.',
    ],
    [
      { breakdowns: [{ ...number, column: 'EVENT' }] },
      'BAD_USER_INPUT',
      'A property must have exactly one of `column`, `properties` and `context`.',
    ],
    [{ breakdowns: [{ properties: [] }] }, 'BAD_USER_INPUT', 'A path must have 1 to 10 keys.'],
    [
      { series: [{ event: { filters: [{ property: number }] } }] },
      'BAD_USER_INPUT',
      'A filter must have at least one condition, such as `equals`.',
    ],
    [
      { range: { from: '2026-01-01T00:00:00Z', to: '2026-06-01T00:00:00Z' } },
      'INVALID_RANGE',
      'range must be at most 92 days.',
    ],
    [
      {
        bucket: 'HOUR',
        top: 50,
        breakdowns: [number],
        range: { from: '2026-11-01T00:00:00Z', to: '2026-12-01T00:00:00Z' },
      },
      'REPORT_TOO_LARGE',
      'The report could have 36771 points, which exceeds the maximum of 20000. Use longer buckets, a shorter range, fewer series or a lower `top`.',
    ],
  ] as const)('%j is refused', async ([variables, reason, message]) => {
    expect(await refusalOf(variables)).toEqual([reason, message]);
  });
});
