// POST /api/v1/affiliates/credits-to-cash

import { beforeAll, expect, test } from 'vitest';
import { type Caller, useClockedApi } from './clocked-api.ts';
import { type Program, programOf } from './program.ts';

const api = useClockedApi();
let program: Program;
beforeAll(async () => {
  program = await programOf(api());
});

const PATH = '/api/v1/affiliates/credits-to-cash';

async function approved(credits: number): Promise<Caller> {
  const owner = await program.withCredits(credits);
  await program.approveKyc(owner);
  return owner;
}

async function balances(caller: Caller): Promise<unknown> {
  const wallet = (await caller.get('/api/v1/referrals/wallet')).json();
  return [wallet.credits_balance, wallet.cash_balance, wallet.cash_earned];
}

test('200: a part becomes cash, one to one, and its age starts now', async () => {
  const owner = await approved(100);
  const answer = await owner.post(PATH, { requested_amount: 40.5 });
  expect(answer.status, answer.text).toBe(200);
  const nowMs = api().deps.clock.nowMs();
  expect(answer.json()).toEqual({
    status: 'SUCCESS',
    conversion: {
      id: expect.any(String),
      amount: 40.5,
      currency: 'INR',
      eligible_at: new Date(nowMs + 30 * 86_400_000).toISOString(),
      created_at: new Date(nowMs).toISOString(),
    },
  });
  expect(await balances(owner)).toEqual([59.5, 40.5, 0]);
});

test.for([
  ['no body', undefined, {}],
  ['no body, but a media type', undefined, { 'content-type': 'application/json' }],
  ['an empty object', {}, {}],
  ['null', { requested_amount: null }, {}],
] as const)('200: all of them with %s', async ([, body, headers]) => {
  const owner = await approved(100);
  const answer = await owner.post(PATH, body, headers);
  expect(answer.status, answer.text).toBe(200);
  expect(await balances(owner)).toEqual([0, 100, 0]);
});

test('200: once per key', async () => {
  const owner = await approved(100);
  const keyed = () => owner.post(PATH, { requested_amount: 30 }, { 'idempotency-key': 'k' });
  const [first, second] = await Promise.all([keyed(), keyed()]);
  expect(second!.json()).toEqual(first!.json());
  expect(await balances(owner)).toEqual([70, 30, 0]);
});

test('403 KYC_NOT_APPROVED: before anything about amounts', async () => {
  for (const owner of [await api().owner(), await program.withCredits(100)]) {
    const answer = await owner.post(PATH, { requested_amount: 1_000_000 });
    expect([answer.status, answer.json()]).toEqual([403, { detail: 'KYC_NOT_APPROVED' }]);
  }
});

test('422 INSUFFICIENT_BALANCE: more than the balance, or all of an empty balance', async () => {
  const owner = await approved(100);
  for (const body of [{ requested_amount: 100.01 }, undefined]) {
    const answer = await owner.post(PATH, body);
    if (body === undefined) expect(answer.status).toBe(200);
    else expect([answer.status, answer.json()]).toEqual([422, { detail: 'INSUFFICIENT_BALANCE' }]);
  }
  const again = await owner.post(PATH);
  expect([again.status, again.json()]).toEqual([422, { detail: 'INSUFFICIENT_BALANCE' }]);
});

test.for([
  { requested_amount: 0 },
  { requested_amount: 1.001 },
  { requested_amount: '1' },
  { amount: 1 },
])('400: %j', async body => {
  expect((await (await approved(10)).post(PATH, body)).status).toBe(400);
});

test('403: only owners can move money', async () => {
  const owner = await approved(100);
  const member = await api().caller(owner.organizationId, 'member');
  expect((await member.post(PATH)).status).toBe(403);
});
