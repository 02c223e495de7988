import { beforeAll, describe, expect, test } from 'vitest';
import { createTenant, type Tenant } from '../../harness/tenant.ts';
import { useSharedApi } from '../harness/api-process.ts';
import { eventRow, insertRows } from '../harness/report-rows.ts';
import { tokenFor } from '../harness/tokens.ts';

const api = useSharedApi();
const RANGE = { from: '2026-11-02T00:00:00Z', to: '2026-11-04T00:00:00Z' };

let tenant: Tenant;
beforeAll(async () => {
  tenant = await createTenant();
  const event = (name: string, day: string, user_id: string, properties = '') =>
    eventRow(tenant, { event: name, timestamp: `2026-11-${day}Z`, user_id, properties });
  await insertRows('events_raw', [
    event('Visit', '02T09:00:00', 'ann'),
    event('Order', '02T09:30:00', 'ann', '{"total":10,"plan":"pro"}'),
    event('Visit', '03T09:00:00', 'ben'),
    event('Order', '03T09:10:00', 'ann', '{"total":5.5,"plan":"free"}'),
  ]);
});

async function post(path: string, body: object) {
  const answer = await api().rest(`/api/v1/insights/${path}`, {
    method: 'POST',
    token: await tokenFor(tenant.organizationId, { roles: ['member'] }),
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ range: RANGE, ...body }),
  });
  return { status: answer.status, body: answer.json() };
}

describe('over REST', () => {
  test('trends', async () => {
    const { status, body } = await post('trends', {
      bucket: 'day',
      series: [
        { event: { name: 'Order' } },
        { event: { name: 'Order' }, measure: 'sum', number: { properties: ['total'] } },
      ],
      breakdowns: [{ properties: ['plan'] }],
      top: 1,
      is_compared: true,
    });
    expect(status).toBe(200);
    const before = { previous_total: 0, previous_points: [0, 0] };
    const free = { values: ['free'], is_rest: false, ...before };
    const rest = { values: [], is_rest: true, ...before };
    expect(body).toEqual({
      status: 'SUCCESS',
      trends: {
        bucket_starts: ['2026-11-02T00:00:00.000Z', '2026-11-03T00:00:00.000Z'],
        previous_bucket_starts: ['2026-10-31T00:00:00.000Z', '2026-11-01T00:00:00.000Z'],
        lines: [
          { series: 0, total: 1, points: [0, 1], ...free },
          { series: 0, total: 1, points: [1, 0], ...rest },
          { series: 1, total: 5.5, points: [0, 5.5], ...free },
          { series: 1, total: 10, points: [10, 0], ...rest },
        ],
        sql: expect.stringMatching(/^SELECT /),
      },
    });
  });

  test('retention', async () => {
    const { body } = await post('retention', {
      period: 'day',
      first_event: { name: 'Visit' },
      returning_event: {
        name: 'Order',
        filters: [{ property: { properties: ['total'] }, less_than: 6 }],
      },
    });
    expect(body).toEqual({
      status: 'SUCCESS',
      retention: {
        cohorts: [
          { start: '2026-11-02T00:00:00.000Z', people: 1, returned: [0, 1] },
          { start: '2026-11-03T00:00:00.000Z', people: 1, returned: [0] },
        ],
        sql: expect.stringMatching(/^SELECT /),
      },
    });
  });

  test('a funnel and its drop-offs', async () => {
    const input = { steps: [{ name: 'Visit' }, { name: 'Order' }], window_seconds: 3_600 };
    const { body } = await post('funnel', input);
    const sql = expect.stringMatching(/^SELECT /);
    const conversion = (first: number, previous: number, seconds: number | null) => ({
      conversion_from_first: first,
      conversion_from_previous: previous,
      median_seconds_from_previous: seconds,
    });
    const steps = [
      { step: 1, people: 2, ...conversion(1, 1, null) },
      { step: 2, people: 1, ...conversion(0.5, 0.5, 1_800) },
    ];
    const lines = [{ value: null, is_rest: false, steps }];
    expect(body).toEqual({ status: 'SUCCESS', funnel: { lines, sql } });

    const dropOffs = await post('funnel-drop-offs', { ...input, step: 1 });
    expect(dropOffs.body).toEqual({ status: 'SUCCESS', items: ['ben'], next_cursor: null, sql });
  });

  test.for([
    ['trends', { bucket: 'minute', series: [{ event: {} }] }, 400],
    ['trends', { bucket: 'day', series: [] }, 400],
    [
      'trends',
      { bucket: 'day', series: [{ event: {} }], range: { from: 'yesterday', to: 'today' } },
      400,
    ],
    ['trends', { bucket: 'day', series: [{ event: {} }], unknown: 1 }, 400],
    ['trends', { bucket: 'day', series: [{ event: {} }], time_zone: 'Mars/Olympus' }, 400],
    ['funnel', { steps: [{}], window_seconds: 1 }, 400],
    [
      'trends',
      {
        bucket: 'hour',
        top: 50,
        series: [{ event: {} }],
        breakdowns: [{ column: 'event' }],
        range: { from: '2026-10-01T00:00:00Z', to: '2026-10-31T00:00:00Z' },
      },
      422,
    ],
  ] as const)('%s with %j is refused', async ([path, body, status]) => {
    const answer = await post(path, body);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ detail: expect.stringMatching(/\w/) });
  });
});
