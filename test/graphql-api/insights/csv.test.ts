// The reports of insights as CSV, requested with Accept: text/csv.

import { beforeAll, describe, expect, test } from 'vitest';
import { createTenant, type Tenant } from '../../harness/tenant.ts';
import { useSharedApi } from '../harness/api-process.ts';
import { type Field, parseCsv } from '../harness/parse-csv.ts';
import { eventRow, insertRows } from '../harness/report-rows.ts';
import { tokenFor } from '../harness/tokens.ts';

const api = useSharedApi();
const RANGE = { from: '2026-11-02T00:00:00Z', to: '2026-11-04T00:00:00Z' };
/** The maximum length that ingest accepts. */
const LONGEST_TEXT = 10_240;
const CSV_TYPE = 'text/csv; charset=utf-8; header=present';

/** Breakdown values, and their fields in the file. */
const ODD_TEXTS: readonly (readonly [value: unknown, inFile: Field])[] = [
  ['plain', 'plain'],
  ['say "hi"', 'say "hi"'],
  ['"', '"'],
  ['a,b;c', 'a,b;c'],
  ['two\nlines', 'two\nlines'],
  ['two\r\nlines', 'two\r\nlines'],
  [' spaced ', ' spaced '],
  ['日本語 🙂 é', '日本語 🙂 é'],
  ["'quoted'", "'quoted'"],
  ['', ''],
  [null, null],
  [true, 'true'],
  [1.5, '1.5'],
  [-5, '-5'],
  ['-2.5e-7', '-2.5e-7'],
  ['=1+1', "'=1+1"],
  ['=HYPERLINK("http://x.example";"a,b")', `'=HYPERLINK("http://x.example";"a,b")`],
  ['+49 151 1', "'+49 151 1"],
  ['+1', "'+1"],
  ['-2+3', "'-2+3"],
  ["-1|cmd|' /C calc'!A0", "'-1|cmd|' /C calc'!A0"],
  ['-1\n=1', "'-1\n=1"],
  ['-', "'-"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ['\r=1', "'\r=1"],
  ['\n=1', "'\n=1"],
  ['\0=1', "'\0=1"],
  ['＝1', "'＝1"],
  ['a=1', 'a=1'],
];

let tenant: Tenant;
beforeAll(async () => {
  tenant = await createTenant();
  const event = (name: string, time: string, user_id: string, properties: object = {}) =>
    eventRow(tenant, {
      event: name,
      timestamp: `2026-${time}Z`,
      user_id,
      properties: JSON.stringify(properties),
    });
  await insertRows('events_raw', [
    event('Visit', '11-02T09:00:00', 'ann', { plan: '=pro' }),
    event('Order', '11-02T09:30:00', 'ann', { plan: 'pro', total: -2.5 }),
    event('Visit', '11-03T09:00:00', 'ben'),
    event('Order', '11-03T09:10:00', 'ann', { plan: 'free', total: 10 }),
    event('Order', '10-29T09:10:00', 'ann', { plan: 'free', total: 7 }),
    event('Call', '11-02T09:00:00', '+4915100000'),
    event('Call', '11-02T09:00:00', '=cmd,"x"'),
    event('Call', '11-02T09:00:00', 'zoe'),
    event('Long', '11-02T09:00:00', 'ann', { text: 'x'.repeat(LONGEST_TEXT) }),
    ...ODD_TEXTS.map(([text]) => event('Odd', '11-02T09:00:00', 'ann', { text, of: 'odd' })),
  ]);
});

async function post(path: string, body: object, accept = 'text/csv') {
  return api().rest(`/api/v1/insights/${path}`, {
    method: 'POST',
    token: await tokenFor(tenant.organizationId, { roles: ['member'] }),
    headers: { 'content-type': 'application/json', accept },
    body: JSON.stringify({ range: RANGE, ...body }),
  });
}

async function csv(path: string, body: object) {
  const answer = await post(path, body);
  expect(answer.status, answer.text).toBe(200);
  expect(answer.headers).toMatchObject({
    'content-type': CSV_TYPE,
    'content-disposition': `attachment; filename="${path}.csv"`,
    vary: 'Accept',
  });
  const [columns, ...rows] = parseCsv(answer.text);
  return { columns: columns!.join(), rows, nextCursor: answer.headers['x-next-cursor'] };
}

const ORDERS = { bucket: 'day', series: [{ event: { name: 'Order' } }] };
const DAYS = ['2026-11-02T00:00:00.000Z', '2026-11-03T00:00:00.000Z'] as const;

describe('trends', () => {
  test('have a row per series, line and bucket', async () => {
    const { columns, rows } = await csv('trends', {
      bucket: 'day',
      series: [
        { event: { name: 'Order' } },
        { event: { name: 'Order' }, measure: 'min', number: { properties: ['total'] } },
      ],
      breakdowns: [{ properties: ['plan'] }, { column: 'user_id' }],
      top: 1,
    });
    expect(columns).toBe('series,breakdown_1,breakdown_2,is_rest,bucket_start,value');
    expect(rows).toEqual([
      ['0', 'free', 'ann', 'false', DAYS[0], '0'],
      ['0', 'free', 'ann', 'false', DAYS[1], '1'],
      ['0', null, null, 'true', DAYS[0], '1'],
      ['0', null, null, 'true', DAYS[1], '0'],
      ['1', 'free', 'ann', 'false', DAYS[0], null],
      ['1', 'free', 'ann', 'false', DAYS[1], '10'],
      ['1', null, null, 'true', DAYS[0], '-2.5'],
      ['1', null, null, 'true', DAYS[1], null],
    ]);
  });

  test.for([
    [
      'more',
      { from: '2026-11-03T00:00:00Z', to: '2026-11-09T00:00:00Z' },
      [
        ['0', 'false', '2026-11-02T00:00:00.000Z', '1', '2026-10-26T00:00:00.000Z', '1'],
        ['0', 'false', null, null, '2026-11-02T00:00:00.000Z', '1'],
      ],
    ],
    [
      'fewer',
      { from: '2026-11-01T00:00:00Z', to: '2026-11-07T00:00:00Z' },
      [
        ['0', 'false', '2026-10-26T00:00:00.000Z', '0', '2026-10-26T00:00:00.000Z', '1'],
        ['0', 'false', '2026-11-02T00:00:00.000Z', '2', null, null],
      ],
    ],
  ] as const)('are compared if the previous period has %s buckets', async ([, range, expected]) => {
    const { columns, rows } = await csv('trends', {
      ...ORDERS,
      bucket: 'week',
      range,
      is_compared: true,
    });
    expect(columns).toBe('series,is_rest,bucket_start,value,previous_bucket_start,previous_value');
    expect(rows).toEqual(expected);
  });

  test('keep every text, and escape formulas', async () => {
    const { rows } = await csv('trends', {
      bucket: 'week',
      series: [{ event: { name: 'Odd' } }],
      breakdowns: [{ properties: ['text'] }],
      top: 50,
    });
    const expected = ODD_TEXTS.map(([, inFile]) => inFile);
    expect(new Set(rows.map(([, text]) => text))).toEqual(new Set(expected));
    expect(rows.map(row => row.at(-1))).toEqual(ODD_TEXTS.map(() => '1'));
  });

  test('without lines consist of the header row', async () => {
    const { columns, rows } = await csv('trends', {
      ...ORDERS,
      series: [{ event: { name: 'Nothing' } }],
      breakdowns: [{ column: 'event' }],
      is_compared: true,
    });
    expect(columns).toMatch(/^series,breakdown_1,is_rest,.*,previous_value$/);
    expect(rows).toEqual([]);
  });
});

test('retention has a row per cohort and period', async () => {
  const { columns, rows } = await csv('retention', {
    period: 'day',
    first_event: { name: 'Visit' },
    returning_event: { name: 'Order' },
  });
  expect(columns).toBe('cohort_start,people,period,period_start,returned');
  expect(rows).toEqual([
    [DAYS[0], '1', '0', DAYS[0], '1'],
    [DAYS[0], '1', '1', DAYS[1], '1'],
    [DAYS[1], '1', '0', DAYS[1], '0'],
  ]);
});

test('a funnel has a row per line and step', async () => {
  const { columns, rows } = await csv('funnel', {
    steps: [{ name: 'Visit' }, { name: 'Order' }],
    window_seconds: 3_600,
    breakdown: { properties: ['plan'] },
  });
  expect(columns).toBe(
    'breakdown,is_rest,step,people,conversion_from_first,conversion_from_previous,median_seconds_from_previous',
  );
  expect(rows).toEqual([
    ["'=pro", 'false', '1', '1', '1', '1', null],
    ["'=pro", 'false', '2', '1', '1', '1', '1800'],
    [null, 'false', '1', '1', '1', '1', null],
    [null, 'false', '2', '0', '0', '0', null],
  ]);
});

test('drop-offs have a row per person, and the next cursor in a header', async () => {
  const seen: (Field | undefined)[] = [];
  let cursor: unknown;
  do {
    const page = await csv('funnel-drop-offs', {
      steps: [{ name: 'Call' }, { name: 'Order' }],
      window_seconds: 60,
      step: 1,
      limit: 2,
      cursor,
    });
    expect(page.columns).toBe('person_id');
    seen.push(...page.rows.map(([person]) => person));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(seen).toEqual(["'+4915100000", `'=cmd,"x"`, 'zoe']);
});

describe('Accept', () => {
  test.for([
    ['text/csv', CSV_TYPE],
    ['Text/CSV; header=present', CSV_TYPE],
    ['text/*', CSV_TYPE],
    ['text/csv, */*;q=0.1', CSV_TYPE],
    ['text/csv, */*', CSV_TYPE],
    ['text/csv, application/json', CSV_TYPE],
    ['application/json;q=0.5, text/csv;q=0.9', CSV_TYPE],
    ['', 'application/json'],
    ['*/*', 'application/json'],
    ['application/json, text/csv', 'application/json'],
    ['application/json, text/plain, */*', 'application/json'],
    ['text/csv;q=0.5, application/json;q=0.9', 'application/json'],
    ['text/csv;q=0.1, */*', 'application/json'],
    ['text/csv;q=0', 'application/json'],
    // JSON is the default, as for all other routes, which never return 406.
    ['text/html', 'application/json'],
    ['nonsense', 'application/json'],
  ])('%j is answered with %s', async ([accept, type]) => {
    const answer = await post('trends', ORDERS, accept);
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({ 'content-type': type, vary: 'Accept' });
  });
});

describe('an error is JSON', () => {
  test('of a malformed request', async () => {
    const answer = await post('trends', { ...ORDERS, bucket: 'minute' });
    expect(answer.status).toBe(400);
    expect(answer.json()).toEqual({ detail: expect.stringContaining('bucket') });
  });

  test('for a file that would be too large, while JSON is still returned', async () => {
    const large = {
      bucket: 'hour',
      series: [{ event: { name: 'Long' } }, { event: { name: 'Long' }, measure: 'people' }],
      breakdowns: [{ properties: ['text'] }],
      range: { from: '2026-10-10T00:00:00Z', to: '2026-11-10T00:00:00Z' },
    };
    const answer = await post('trends', large);
    expect(answer.status).toBe(422);
    expect(answer.json()).toEqual({ detail: expect.stringContaining('CSV') });
    expect((await post('trends', large, 'application/json')).status).toBe(200);
  });
});
