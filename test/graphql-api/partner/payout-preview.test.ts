// { payoutPreview } returns the amounts of a possible payout, by the same rules as a payout
// request.

import { beforeAll, expect, test } from 'vitest';
import { type Caller, useClockedApi } from './clocked-api.ts';
import { type Program, programOf } from './program.ts';

const api = useClockedApi();
let program: Program;
beforeAll(async () => {
  program = await programOf(api());
});

const PREVIEW = `query ($amount: Decimal) {
  payoutPreview(requestedAmount: $amount) {
    payable { amount } nextEligibleAt taxRateBps tax { amount } net { amount } refusal
  }
}`;

async function preview(caller: Caller, amount?: string): Promise<Record<string, unknown>> {
  const { payoutPreview } = await caller.graph(PREVIEW, { amount });
  return payoutPreview as Record<string, unknown>;
}

test('returns the exact amounts of the later request', async () => {
  const affiliate = await program.withCash(2000);
  api().advanceDays(30);
  const told = await preview(affiliate, '1234.56');
  expect(told).toEqual({
    payable: { amount: '2000.00' },
    nextEligibleAt: null,
    taxRateBps: 200,
    tax: { amount: '24.69' },
    net: { amount: '1209.87' },
    refusal: null,
  });
  const made = await affiliate.post('/api/v1/affiliates/payouts/request', {
    requested_amount: 1234.56,
  });
  expect(made.json().payout).toMatchObject({ tax_amount: 24.69, net_amount: 1209.87 });
  expect(await preview(affiliate)).toMatchObject({
    payable: { amount: '765.44' },
    tax: null,
    net: null,
    refusal: 'INSUFFICIENT_BALANCE',
  });
});

test('returns the reason of a refusal, in the same order as the request, and its end', async () => {
  const affiliate = await program.withCash(2000);
  expect(await preview(affiliate, '999.99')).toMatchObject({ refusal: 'BELOW_MIN_THRESHOLD' });
  expect(await preview(affiliate, '2000.01')).toMatchObject({ refusal: 'INSUFFICIENT_BALANCE' });
  const young = await preview(affiliate, '1000');
  expect(young).toMatchObject({ payable: { amount: '0.00' }, refusal: 'NET30_GUARDRAIL' });
  api().setClock(young.nextEligibleAt as string);
  expect(await preview(affiliate, '1000')).toMatchObject({
    payable: { amount: '2000.00' },
    nextEligibleAt: null,
    refusal: null,
  });
});

test('without an approved KYC there is no rate yet', async () => {
  const user = await program.referrer();
  expect(await preview(user, '1000')).toEqual({
    payable: { amount: '0.00' },
    nextEligibleAt: null,
    taxRateBps: null,
    tax: null,
    net: null,
    refusal: 'KYC_NOT_APPROVED',
  });
});

test.for(['0', '-1', '1000.001'])('%s is not an amount', async amount => {
  const affiliate = await program.withCash(2000);
  await expect(preview(affiliate, amount)).rejects.toThrow('requestedAmount');
});
