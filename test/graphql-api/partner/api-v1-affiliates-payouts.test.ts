// POST /api/v1/affiliates/payouts/request and GET /api/v1/affiliates/payouts

import { beforeAll, expect, test } from 'vitest';
import { type Caller, useClockedApi } from './clocked-api.ts';
import { type Program, programOf } from './program.ts';

const api = useClockedApi();
let program: Program;
beforeAll(async () => {
  program = await programOf(api());
});

const REQUEST = '/api/v1/affiliates/payouts/request';
const LIST = '/api/v1/affiliates/payouts';

function request(caller: Caller, amount: unknown, key?: string) {
  const headers = key === undefined ? {} : { 'idempotency-key': key };
  return caller.post(REQUEST, { requested_amount: amount }, headers as Record<string, string>);
}

async function refusal(caller: Caller, amount: number): Promise<unknown> {
  const answer = await request(caller, amount);
  return [answer.status, answer.json()];
}

async function old(cash: number): Promise<Caller> {
  const affiliate = await program.withCash(cash);
  api().advanceDays(30);
  return affiliate;
}

test('200: with gross, rate, tax and net at the time of the request', async () => {
  const affiliate = await old(2000);
  const answer = await request(affiliate, 1234.56);
  expect(answer.status, answer.text).toBe(200);
  const payout = {
    id: expect.any(String),
    status: 'REQUESTED',
    gross_amount: 1234.56,
    tax_rate_percent: 2,
    tax_amount: 24.69,
    net_amount: 1209.87,
    currency: 'INR',
    bank_reference: null,
    reason: null,
    requested_at: new Date(api().deps.clock.nowMs()).toISOString(),
    processing_at: null,
    paid_at: null,
    closed_at: null,
  };
  expect(answer.json()).toEqual({ status: 'SUCCESS', payout });
  expect((await affiliate.get(LIST)).json()).toEqual({
    status: 'SUCCESS',
    items: [payout],
    next_cursor: null,
  });
  const wallet = (await affiliate.get('/api/v1/referrals/wallet')).json();
  expect(wallet).toMatchObject({ cash_balance: 765.44, cash_earned: 2000, cash_withdrawn: 0 });
});

test.for([
  [{ hasPan: false, hasGst: false }, 10],
  [{ hasPan: true, hasGst: false }, 2],
  [{ hasPan: true, hasGst: true }, 0],
] as const)('200: the tax of %j is %i %%', async ([tax, percent]) => {
  const affiliate = await program.referrer({ status: 'AFFILIATE' });
  await program.approveKyc(affiliate, tax);
  await program.pay(await program.referee(affiliate), '5000');
  api().advanceDays(30);
  const { payout } = (await request(affiliate, 1000)).json();
  expect(payout).toMatchObject({ tax_rate_percent: percent, tax_amount: percent * 10 });
});

test('200: once per key', async () => {
  const affiliate = await old(5000);
  const answers = await Promise.all([1, 2, 3].map(() => request(affiliate, 1000, 'k')));
  for (const answer of answers) expect(answer.json()).toEqual(answers[0]!.json());
  expect((await affiliate.get(LIST)).json().items).toHaveLength(1);
});

test('403 KYC_NOT_APPROVED takes precedence over all other errors', async () => {
  const affiliate = await program.referrer({ status: 'AFFILIATE' });
  await program.pay(await program.referee(affiliate), '50000');
  const expected = [403, { detail: 'KYC_NOT_APPROVED' }];
  expect(await refusal(affiliate, 1)).toEqual(expected);
  expect(await refusal(affiliate, 5000)).toEqual(expected);
  for (const status of ['KYC_PENDING', 'KYC_REJECTED']) {
    await api().sql(
      `INSERT INTO affiliate_profiles (organization_id, kyc_status) VALUES ($1, $2)
       ON CONFLICT (organization_id) DO UPDATE SET kyc_status = $2`,
      [affiliate.organizationId, status],
    );
    expect(await refusal(affiliate, 5000)).toEqual(expected);
  }
});

test('422 BELOW_MIN_THRESHOLD, then INSUFFICIENT_BALANCE, then NET30_GUARDRAIL', async () => {
  const affiliate = await program.withCash(2000);
  expect(await refusal(affiliate, 999.99)).toEqual([422, { detail: 'BELOW_MIN_THRESHOLD' }]);
  expect(await refusal(affiliate, 2000.01)).toEqual([422, { detail: 'INSUFFICIENT_BALANCE' }]);
  expect(await refusal(affiliate, 1000)).toEqual([422, { detail: 'NET30_GUARDRAIL' }]);
  api().advanceDays(29.99);
  expect(await refusal(affiliate, 1000)).toEqual([422, { detail: 'NET30_GUARDRAIL' }]);
  api().advanceDays(0.01);
  expect((await request(affiliate, 1000)).status).toBe(200);
});

test('422: the age of converted credits starts at the conversion', async () => {
  const owner = await program.withCredits(1000);
  await program.approveKyc(owner);
  await owner.post('/api/v1/affiliates/credits-to-cash');
  expect(await refusal(owner, 1000)).toEqual([422, { detail: 'NET30_GUARDRAIL' }]);
  api().advanceDays(30);
  expect((await request(owner, 1000)).status).toBe(200);
});

test.for(['1000', 1000.001, -1000, 0, null, undefined])('400: %j', async amount => {
  expect((await request(await old(2000), amount)).status).toBe(400);
});

test('403: only owners can move money; members can see it', async () => {
  const affiliate = await old(2000);
  const member = await api().caller(affiliate.organizationId, 'member');
  expect((await request(member, 1000)).status).toBe(403);
  expect((await member.get(LIST)).status).toBe(200);
});

test('the list is paged and filtered by status', async () => {
  const affiliate = await old(9000);
  for (let i = 0; i < 3; i++) {
    await request(affiliate, 1000 + i);
    api().advanceDays(0.01);
  }
  const amounts = async (query: string) => {
    const page = (await affiliate.get(`${LIST}?${query}`)).json();
    const items = page.items as { gross_amount: number }[];
    return { amounts: items.map(item => item.gross_amount), next: page.next_cursor };
  };
  const first = await amounts('limit=2');
  expect(first.amounts).toEqual([1002, 1001]);
  expect((await amounts(`limit=2&cursor=${String(first.next)}`)).amounts).toEqual([1000]);
  expect((await amounts('status=REQUESTED')).amounts).toHaveLength(3);
  expect((await amounts('status=PAID')).amounts).toEqual([]);
  expect((await affiliate.get(`${LIST}?status=NONSENSE`)).status).toBe(400);
});

test('many concurrent requests never exceed the balance', async () => {
  const affiliate = await old(3500);
  const answers = await Promise.all(Array.from({ length: 8 }, () => request(affiliate, 1000)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
});
