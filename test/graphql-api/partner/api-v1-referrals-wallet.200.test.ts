// GET /api/v1/referrals/wallet and /api/v1/referrals/wallet/pending

import { beforeAll, expect, test } from 'vitest';
import { releaseCredits } from '../../../graphql-api/partner/release-credits.job.ts';
import { dayAfter, useClockedApi } from './clocked-api.ts';
import { type Program, programOf } from './program.ts';

const api = useClockedApi();
let program: Program;
beforeAll(async () => {
  program = await programOf(api());
});

const WALLET = '/api/v1/referrals/wallet';
const PENDING = '/api/v1/referrals/wallet/pending';
const ZEROS = {
  status: 'SUCCESS',
  credits_balance: 0,
  credits_earned: 0,
  credits_redeemed: 0,
  credits_pending: 0,
  pending_next_release_date: null,
  cash_balance: 0,
  cash_earned: 0,
  cash_withdrawn: 0,
  debt: 0,
  is_dormant: false,
  last_activity_at: null,
};

test('zeros before there is a wallet, and a read creates none', async () => {
  const owner = await api().owner();
  expect((await owner.get(WALLET)).json()).toEqual(ZEROS);
  expect((await owner.get(PENDING)).json()).toEqual({
    status: 'SUCCESS',
    total_pending: 0,
    next_release_date: null,
    release_schedule: [],
  });
  const rows = await api().sql('SELECT FROM wallets WHERE organization_id = $1', [
    owner.organizationId,
  ]);
  expect(rows).toEqual([]);
});

test('held credits are listed by release day, then added to the balance', async () => {
  const referrer = await program.referrer();
  const referees = [];
  for (let i = 0; i < 3; i++) referees.push(await program.referee(referrer));
  const today = api().today();
  await program.pay(referees[0]!, '100.10');
  await program.pay(referees[1]!, '200');
  const at = new Date(api().deps.clock.nowMs()).toISOString();
  const tomorrow = new Date(api().deps.clock.nowMs() + 86_400_000).toISOString();
  await program.pay(referees[2]!, '33.33', { clearedAt: tomorrow });

  expect((await referrer.get(WALLET)).json()).toEqual({
    ...ZEROS,
    credits_earned: 33.34,
    credits_pending: 33.34,
    pending_next_release_date: dayAfter(today, 30),
    last_activity_at: at,
  });
  expect((await referrer.get(PENDING)).json()).toEqual({
    status: 'SUCCESS',
    total_pending: 33.34,
    next_release_date: dayAfter(today, 30),
    release_schedule: [
      { release_date: dayAfter(today, 30), total_amount: 30.01, transaction_count: 2 },
      { release_date: dayAfter(today, 31), total_amount: 3.33, transaction_count: 1 },
    ],
  });

  api().advanceDays(30);
  await api().runJob(releaseCredits);
  expect((await referrer.get(WALLET)).json()).toMatchObject({
    credits_balance: 30.01,
    credits_pending: 3.33,
    pending_next_release_date: dayAfter(today, 31),
  });
  api().advanceDays(1);
  await api().runJob(releaseCredits);
  expect((await referrer.get(WALLET)).json()).toMatchObject({
    credits_balance: 33.34,
    credits_pending: 0,
    pending_next_release_date: null,
  });
});

test('a shortfall is a separate debt, repaid by later inflows', async () => {
  const referrer = await program.referrer({ status: 'AFFILIATE' });
  const referee = await program.referee(referrer);
  const first = await program.pay(referee, '1000');
  await program.approveKyc(referrer);
  await program.pay(referee, '4500');
  api().advanceDays(30);
  const paid = await referrer.post('/api/v1/affiliates/payouts/request', {
    requested_amount: 1100,
  });
  expect(paid.status, paid.text).toBe(200);
  await program.chargeback(first);
  expect((await referrer.get(WALLET)).json()).toMatchObject({
    cash_balance: 0,
    cash_earned: 900,
    debt: 200,
    credits_balance: 0,
  });
  await program.pay(referee, '1500');
  expect((await referrer.get(WALLET)).json()).toMatchObject({ cash_balance: 100, debt: 0 });
});

test('dormant after the number of days without activity in the terms', async () => {
  const referrer = await program.referrer();
  await program.pay(await program.referee(referrer), '100');
  const isDormant = async () => (await referrer.get(WALLET)).json().is_dormant;
  api().advanceDays(179);
  expect(await isDormant()).toBe(false);
  api().advanceDays(1);
  expect(await isDormant()).toBe(true);
  await program.pay(await program.referee(referrer), '100');
  expect(await isDormant()).toBe(false);

  api().advanceDays(100);
  const terms = { region: 'INDIA', dormancyDays: 90 };
  await program.admin.mutate('programTermsUpdate', 'programTerms { dormancyDays }', {
    input: terms,
  });
  expect(await isDormant()).toBe(true);
  await program.admin.mutate('programTermsUpdate', '__typename', {
    input: { ...terms, dormancyDays: 180 },
  });
});
