// POST /api/v1/referrals/credits/redeem

import { v7 as uuidv7 } from 'uuid';
import { beforeAll, expect, test } from 'vitest';
import { expireOldReservations } from '../../../graphql-api/partner/expire-reservations.job.ts';
import { type Caller, useClockedApi } from './clocked-api.ts';
import { type Program, programOf } from './program.ts';

const api = useClockedApi();
let program: Program;
beforeAll(async () => {
  program = await programOf(api());
});

const PATH = '/api/v1/referrals/credits/redeem';

function redeem(caller: Caller, invoice: string, total: number, amount: number, key?: string) {
  const body = { invoice_id: invoice, invoice_total: total, requested_amount: amount };
  return caller.post(PATH, body, key === undefined ? {} : { 'idempotency-key': key });
}

async function balanceOf(caller: Caller): Promise<unknown> {
  const { credits_balance, credits_redeemed } = (
    await caller.get('/api/v1/referrals/wallet')
  ).json();
  return [credits_balance, credits_redeemed];
}

test('200: a registered invoice is paid immediately', async () => {
  const owner = await program.withCredits(500);
  const invoice = uuidv7();
  await program.registerInvoice(owner, invoice, '400');
  const answer = await redeem(owner, invoice, 400, 150.25);
  expect(answer.status, answer.text).toBe(200);
  expect(answer.json()).toEqual({
    status: 'SUCCESS',
    redemption: {
      id: expect.any(String),
      invoice_id: invoice,
      invoice_total: 400,
      amount: 150.25,
      currency: 'INR',
      status: 'CAPTURED',
      expires_at: null,
      created_at: new Date(api().deps.clock.nowMs()).toISOString(),
    },
  });
  expect(await balanceOf(owner)).toEqual([349.75, 150.25]);
});

test('200: for an unknown invoice, credits are reserved until it is registered', async () => {
  const owner = await program.withCredits(500);
  const [right, wrong] = [uuidv7(), uuidv7()];
  const reserved = await redeem(owner, right, 400, 100);
  expect(reserved.json().redemption).toMatchObject({
    status: 'RESERVED',
    expires_at: new Date(api().deps.clock.nowMs() + 30 * 86_400_000).toISOString(),
  });
  await redeem(owner, wrong, 400, 50);
  expect(await balanceOf(owner)).toEqual([350, 150]);
  await program.registerInvoice(owner, right, '400');
  await program.registerInvoice(owner, wrong, '401');
  expect(await balanceOf(owner)).toEqual([400, 100]);
});

test('200: a reservation of 30 days is returned', async () => {
  const owner = await program.withCredits(100);
  await redeem(owner, uuidv7(), 100, 50);
  api().advanceDays(29.9);
  await api().runJob(expireOldReservations);
  expect(await balanceOf(owner)).toEqual([50, 50]);
  api().advanceDays(0.1);
  await api().runJob(expireOldReservations);
  expect(await balanceOf(owner)).toEqual([100, 0]);
});

test('200: once per key, and a repeat returns the same response', async () => {
  const owner = await program.withCredits(100);
  const invoice = uuidv7();
  const [first, ...others] = await Promise.all(
    Array.from({ length: 5 }, () => redeem(owner, invoice, 100, 10, 'key-1')),
  );
  expect(first!.status).toBe(200);
  for (const other of others) expect(other.json()).toEqual(first!.json());
  expect(await balanceOf(owner)).toEqual([90, 10]);
  const reused = await redeem(owner, invoice, 100, 11, 'key-1');
  expect(reused.status).toBe(422);
  expect(await balanceOf(owner)).toEqual([90, 10]);
});

test('200: without a key, each call is another redemption', async () => {
  const owner = await program.withCredits(100);
  const invoice = uuidv7();
  await redeem(owner, invoice, 100, 10);
  await redeem(owner, invoice, 100, 10);
  expect(await balanceOf(owner)).toEqual([80, 20]);
});

test('422 PASSTHROUGH_INVOICE for every channel and any amount', async () => {
  const owner = await program.withCredits(100);
  for (const channel of ['SMS', 'MESSAGING_APP', 'RCS', 'EMAIL']) {
    const invoice = uuidv7();
    await program.registerInvoice(owner, invoice, '100', channel);
    const answer = await redeem(owner, invoice, 100, 1_000_000);
    expect(answer.status).toBe(422);
    expect(answer.json()).toEqual({ detail: 'PASSTHROUGH_INVOICE' });
  }
});

test('422 INSUFFICIENT_BALANCE: more than the balance, or without a wallet', async () => {
  const owner = await program.withCredits(100);
  const more = await redeem(owner, uuidv7(), 1000, 100.01);
  expect([more.status, more.json()]).toEqual([422, { detail: 'INSUFFICIENT_BALANCE' }]);
  expect((await redeem(owner, uuidv7(), 1000, 100)).status).toBe(200);
  const none = await redeem(await api().owner(), uuidv7(), 1000, 1);
  expect([none.status, none.json()]).toEqual([422, { detail: 'INSUFFICIENT_BALANCE' }]);
});

test('422 REDEMPTION_CAP_EXCEEDED: half of an invoice, all redemptions together', async () => {
  const owner = await program.withCredits(100);
  const invoice = uuidv7();
  expect((await redeem(owner, invoice, 100.01, 50.01)).json().detail).toBe(
    'REDEMPTION_CAP_EXCEEDED',
  );
  expect((await redeem(owner, invoice, 100.01, 30)).status).toBe(200);
  expect((await redeem(owner, invoice, 100.01, 20.01)).status).toBe(422);
  expect((await redeem(owner, invoice, 100.01, 20)).status).toBe(200);
});

test('422 INVOICE_MISMATCH: the registered total applies', async () => {
  const owner = await program.withCredits(100);
  const invoice = uuidv7();
  await program.registerInvoice(owner, invoice, '100');
  const answer = await redeem(owner, invoice, 200, 10);
  expect([answer.status, answer.json()]).toEqual([422, { detail: 'INVOICE_MISMATCH' }]);
});

test.for([
  {},
  { invoice_id: 'i', invoice_total: 100 },
  { invoice_id: '', invoice_total: 100, requested_amount: 1 },
  { invoice_id: 'INV-1 ', invoice_total: 100, requested_amount: 1 },
  { invoice_id: 'INV-1\u200b', invoice_total: 100, requested_amount: 1 },
  { invoice_id: 7, invoice_total: 100, requested_amount: 1 },
  { invoice_id: 'i', invoice_total: '100', requested_amount: 1 },
  { invoice_id: 'i', invoice_total: 100, requested_amount: '1' },
  { invoice_id: 'i', invoice_total: 100, requested_amount: 1.005 },
  { invoice_id: 'i', invoice_total: 100.123, requested_amount: 1 },
  { invoice_id: 'i', invoice_total: 100, requested_amount: 0 },
  { invoice_id: 'i', invoice_total: 100, requested_amount: -1 },
  { invoice_id: 'i', invoice_total: 1e300, requested_amount: 1 },
  { invoice_id: 'i', invoice_total: 100, requested_amount: 1e-7 },
  { invoice_id: 'i'.repeat(256), invoice_total: 100, requested_amount: 1 },
  { invoice_id: 'i', invoice_total: 100, requested_amount: 1, extra: 1 },
  [],
  null,
])('400: %j', async body => {
  const answer = await (await api().owner()).post(PATH, body);
  expect(answer.status, answer.text).toBe(400);
  expect(Object.keys(answer.json())).toEqual(['detail']);
});

test.for([
  [
    {},
    'invoice_id: is missing or not a string. invoice_total: is missing or not a number. requested_amount: is missing or not a number.',
  ],
  [
    { invoice_id: 'i', invoice_total: '100', requested_amount: -1 },
    'invoice_total: is missing or not a number. requested_amount: must be greater than 0.',
  ],
  [
    { invoice_id: 'i', invoice_total: 100, requested_amount: -0.001 },
    'requested_amount: must be greater than 0.',
  ],
  [
    { invoice_id: '', invoice_total: 100.123, requested_amount: 1 },
    'invoice_id: is missing or empty. invoice_total: must have at most 2 decimal places.',
  ],
])('400: each error of %j in a separate sentence', async ([body, detail]) => {
  const answer = await (await api().owner()).post(PATH, body);
  expect([answer.status, answer.json()]).toEqual([400, { detail }]);
});

test('400: invalid JSON', async () => {
  const owner = await api().owner();
  const headers = { 'content-type': 'application/json' };
  const answer = await owner.post(PATH, undefined, headers);
  expect([answer.status, answer.json()]).toEqual([400, { detail: 'The body is not valid JSON.' }]);
});

test('403: only owners can move money', async () => {
  const owner = await program.withCredits(100);
  const member = await api().caller(owner.organizationId, 'member');
  expect((await redeem(member, 'i', 100, 1)).status).toBe(403);
  expect(await balanceOf(owner)).toEqual([100, 0]);
});

test('many concurrent redemptions never pay more than half of an invoice', async () => {
  const owner = await program.withCredits(1000);
  const invoice = uuidv7();
  await program.registerInvoice(owner, invoice, '100');
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => redeem(owner, invoice, 100, 10)),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
  expect(await balanceOf(owner)).toEqual([950, 50]);
});
