// GET /api/v1/referrals/transactions

import { beforeAll, expect, test } from 'vitest';
import { type Caller, useClockedApi } from './clocked-api.ts';
import { type Program, programOf } from './program.ts';

const api = useClockedApi();
let program: Program;
let affiliate: Caller;
let days: string[];

const PATH = '/api/v1/referrals/transactions';
type Item = {
  readonly id: string;
  readonly kind: string;
  readonly amount: number;
  readonly reverses_id: string | null;
  readonly created_at: string;
  readonly entries: readonly { account: string; amount: number; balance_after: number }[];
};

/** Seven commissions, one per day; the last one is clawed back. */
beforeAll(async () => {
  program = await programOf(api());
  affiliate = await program.referrer({ status: 'AFFILIATE' });
  const referee = await program.referee(affiliate);
  days = [];
  for (let i = 1; i <= 7; i++) {
    days.push(api().today());
    const payment = await program.pay(referee, `${i}00.50`);
    if (i === 7) await program.chargeback(payment);
    api().advanceDays(1);
  }
});

async function items(query = ''): Promise<Item[]> {
  const answer = await affiliate.get(`${PATH}${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.json().items as Item[];
}

test('200: newest first, each with its effect on the wallet', async () => {
  const [clawBack, earned] = await items();
  expect(clawBack).toMatchObject({
    kind: 'CLAW_BACK',
    amount: 140.1,
    reverses_id: earned!.id,
    entries: [{ account: 'CASH', amount: -140.1, balance_after: 420.6 }],
  });
  expect(earned).toEqual({
    id: expect.any(String),
    kind: 'EARN_COMMISSION',
    amount: 140.1,
    currency: 'INR',
    source_type: 'earning',
    source_id: expect.any(String),
    reverses_id: null,
    created_at: `${days[6]}T02:00:00.000Z`,
    entries: [{ account: 'CASH', amount: 140.1, balance_after: 560.7 }],
  });
});

test('200: page by page, each once', async () => {
  const seen: Item[] = [];
  let cursor: string | null = null;
  do {
    const query = `?limit=3${cursor === null ? '' : `&cursor=${cursor}`}`;
    const page = (await affiliate.get(`${PATH}${query}`)).json();
    seen.push(...(page.items as Item[]));
    cursor = page.next_cursor as string | null;
  } while (cursor !== null);
  expect(seen).toEqual(await items());
  expect(seen).toHaveLength(8);
});

test('200: filtered by one or more kinds', async () => {
  expect((await items('?kind=CLAW_BACK')).map(({ kind }) => kind)).toEqual(['CLAW_BACK']);
  expect(await items('?kind=CLAW_BACK,EARN_COMMISSION')).toHaveLength(8);
  expect(await items('?kind=REDEEM')).toEqual([]);
});

test('200: filtered from a day, to the end of a day, or by times', async () => {
  const between = async (query: string) =>
    (await items(`?kind=EARN_COMMISSION&${query}`)).map(item => item.created_at.slice(0, 10));
  expect(await between(`from=${days[4]}`)).toEqual([days[6], days[5], days[4]]);
  expect(await between(`to=${days[1]}`)).toEqual([days[1], days[0]]);
  expect(await between(`from=${days[2]}&to=${days[2]}`)).toEqual([days[2]]);
  expect(await between(`from=${days[6]}T02:00:00Z`)).toEqual([days[6]]);
  expect(await between(`to=${days[0]}T02:00:00Z`)).toEqual([]);
});

test.for([
  ['?format=csv', {}],
  ['', { accept: 'text/csv' }],
  ['', { accept: 'text/csv;q=0.9, application/json;q=0.1' }],
] as const)('200: as CSV, all of them: %s %j', async ([query, headers]) => {
  const answer = await affiliate.get(`${PATH}${query}`, headers);
  expect(answer.status).toBe(200);
  expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8; header=present');
  expect(answer.headers['content-disposition']).toContain('transactions.csv');
  const lines = answer.text.split('\r\n');
  expect(lines.at(-1)).toBe('');
  const [head, ...rows] = lines.slice(0, -1).map(line => line.split(','));
  expect(head!.join()).toBe(
    'id,created_at,kind,amount,currency,source_type,source_id,reverses_id,pending,available,cash,in_payout,debt',
  );
  const all = await items();
  expect(rows.map(([id]) => id)).toEqual(all.map(({ id }) => id));
  expect(rows.map(row => row[10])).toEqual(all.map(({ entries }) => entries[0]!.amount.toFixed(2)));
});

test('200: JSON by default, or if it is requested', async () => {
  for (const [query, accept] of [
    ['', '*/*'],
    ['?format=json', 'text/csv'],
    ['', 'application/json, text/csv'],
  ]) {
    const answer = await affiliate.get(`${PATH}${query}`, { accept: accept! });
    expect(answer.headers['content-type']).toContain('application/json');
  }
});

test('200: a CSV includes all pages', async () => {
  const referrer = await program.referrer({ status: 'AFFILIATE' });
  const referee = await program.referee(referrer);
  for (let i = 0; i < 105; i++) await program.pay(referee, '10');
  const csv = await referrer.get(`${PATH}?format=csv`);
  expect(new Set(csv.text.trim().split('\r\n')).size).toBe(106);
});

test.for([
  'kind=NONSENSE',
  'kind=CLAW_BACK,NONSENSE',
  'kind=',
  'from=yesterday',
  'to=2026-13-01',
  'limit=0',
  'limit=101',
  'cursor=xyz',
  'format=xml',
])('400: %s', async query => {
  const answer = await affiliate.get(`${PATH}?${query}`);
  expect(answer.status, answer.text).toBe(400);
  expect(Object.keys(answer.json())).toEqual(['detail']);
});

test('transactions of other organizations are not visible', async () => {
  const other = await api().owner();
  expect((await other.get(PATH)).json()).toEqual({
    status: 'SUCCESS',
    items: [],
    next_cursor: null,
  });
});
