// GET /api/v1/billing/referral, /api/v1/referrals/dashboard and /api/v1/referrals/active-count

import { v7 as uuidv7 } from 'uuid';
import { beforeAll, expect, test } from 'vitest';
import { REFERRAL_CODE } from '../../../graphql-api/partner/referral.contract.ts';
import { releaseCredits } from '../../../graphql-api/partner/release-credits.job.ts';
import { dayAfter, useClockedApi } from './clocked-api.ts';
import { type Program, programOf } from './program.ts';

const api = useClockedApi();
let program: Program;
beforeAll(async () => {
  program = await programOf(api());
});

const SUMMARY = '/api/v1/billing/referral';
const ACTIVE = '/api/v1/referrals/active-count';

test('the first call creates a code, and later calls return the same', async () => {
  const owner = await api().owner();
  const first = await owner.get(SUMMARY);
  expect(first.status).toBe(200);
  expect(first.json()).toEqual({
    code: expect.stringMatching(REFERRAL_CODE),
    referrals_count: 0,
    credits_earned: 0,
    credits_currency_symbol: '₹',
    partner_status: 'USER',
    credits_available: 0,
    credits_pending: 0,
    pending_next_release_date: null,
    is_dormant: false,
    upgrade_eligible: false,
  });
  const member = await api().caller(owner.organizationId, 'member');
  expect((await member.get(SUMMARY)).json()).toEqual(first.json());
  const entries = await api().sql(
    `SELECT action, subject_id FROM audit_log WHERE organization_id = $1`,
    [owner.organizationId],
  );
  expect(entries).toEqual([{ action: 'referral_code.create', subject_id: first.json().code }]);
});

test('many concurrent first calls create one code', async () => {
  const owner = await api().owner();
  const answers = await Promise.all(Array.from({ length: 12 }, () => owner.get(SUMMARY)));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(answers[0]!.status).toBe(200);
});

test('codes are unique and not predictable', async () => {
  const owners = await Promise.all(Array.from({ length: 40 }, () => api().owner()));
  const codes = await Promise.all(
    owners.map(async owner => (await owner.get(SUMMARY)).json().code),
  );
  expect(new Set(codes).size).toBe(40);
  // Codes made from a counter, a clock or the organization's ID would share their first characters.
  expect(new Set(codes.map(code => String(code).slice(0, 2))).size).toBeGreaterThan(15);
});

test('counts, credits and dates reflect the actions of referees', async () => {
  const referrer = await program.referrer();
  const referees = [];
  for (let i = 0; i < 3; i++) referees.push(await program.referee(referrer));
  await program.pay(referees[0]!, '1234.50');
  const chargedBack = await program.pay(referees[1]!, '500');
  await program.chargeback(chargedBack);
  const today = api().today();
  expect((await referrer.get(SUMMARY)).json()).toMatchObject({
    referrals_count: 3,
    credits_earned: 123.45,
    credits_available: 0,
    credits_pending: 123.45,
    pending_next_release_date: dayAfter(today, 30),
  });
  expect((await referrer.get(ACTIVE)).json()).toEqual({
    status: 'SUCCESS',
    active_referrals_count: 1,
    upgrade_threshold: 11,
    upgrade_eligible: false,
  });
  const dashboard = (await referrer.get('/api/v1/referrals/dashboard')).json();
  expect(dashboard).toMatchObject({
    status: 'SUCCESS',
    share_path: `/refer/${String(dashboard.code)}`,
    counts_by_state: { SIGNED_UP: 1, ACTIVE: 1, INACTIVE: 1 },
    recent_referrals: [
      { state: 'SIGNED_UP', first_paid_at: null, earned: 0 },
      { state: 'INACTIVE', earned: 0 },
      { state: 'ACTIVE', earned: 123.45 },
    ],
  });
  for (const { organizationId } of referees)
    expect(JSON.stringify(dashboard)).not.toContain(organizationId);

  api().advanceDays(30);
  await api().runJob(releaseCredits);
  expect((await referrer.get(SUMMARY)).json()).toMatchObject({
    credits_earned: 123.45,
    credits_available: 123.45,
    credits_pending: 0,
    pending_next_release_date: null,
  });
});

test('the eleventh active referral enables an upgrade, and a chargeback disables it', async () => {
  const referrer = await program.referrer();
  const eligible = async () => {
    const [summary, active] = [await referrer.get(SUMMARY), await referrer.get(ACTIVE)];
    expect(summary.json().upgrade_eligible).toBe(active.json().upgrade_eligible);
    return active.json().upgrade_eligible;
  };
  for (let i = 0; i < 10; i++) await program.pay(await program.referee(referrer), '100');
  const eleventh = await program.referee(referrer);
  expect(await eligible()).toBe(false);
  const payment = await program.pay(eleventh, '100');
  expect(await eligible()).toBe(true);
  const dispute = await program.chargeback(payment);
  expect(await eligible()).toBe(false);
  await program.chargeback(payment, true, dispute);
  expect(await eligible()).toBe(true);
});

test('an organization of another region sees its own currency', async () => {
  const referrer = await program.referrer({ region: 'GLOBAL' });
  expect((await referrer.get(SUMMARY)).json().credits_currency_symbol).toBe('$');
  await program.pay(await program.referee(referrer), '10', { currency: 'USD' });
  expect((await referrer.get(SUMMARY)).json()).toMatchObject({
    credits_pending: 1,
    pending_next_release_date: dayAfter(api().today(), 60),
  });
});

test.for([SUMMARY, ACTIVE, '/api/v1/referrals/dashboard', '/api/v1/referrals/wallet'])(
  '401 without a token: %s',
  async path => {
    const answer = await fetch(`${api().url}${path}`);
    expect(answer.status).toBe(401);
    expect(Object.keys((await answer.json()) as object)).toEqual(['detail']);
  },
);

test.for([SUMMARY, '/api/v1/referrals/wallet', '/api/v1/referrals/wallet/pending'])(
  '404 for an unknown organization, even with a valid token: %s',
  async path => {
    const stranger = await api().caller(uuidv7());
    const answer = await stranger.get(path);
    expect([answer.status, answer.json()]).toEqual([
      404,
      { detail: 'No organization exists with this ID.' },
    ]);
  },
);

test('a referral that paid only in another currency shows this until it pays in the program’s currency', async () => {
  const referrer = await program.referrer();
  const referee = await program.referee(referrer);
  const shown = async () => {
    const { recent_referrals } = (await referrer.get('/api/v1/referrals/dashboard')).json();
    const [{ state, paid_in_other_currency, earned }] = recent_referrals as [
      Record<string, unknown>,
    ];
    return { state, paid_in_other_currency, earned };
  };
  expect(await shown()).toEqual({ state: 'SIGNED_UP', paid_in_other_currency: false, earned: 0 });
  await program.pay(referee, '100', { currency: 'USD' });
  expect(await shown()).toEqual({ state: 'ACTIVE', paid_in_other_currency: true, earned: 0 });
  await program.pay(referee, '100');
  expect(await shown()).toEqual({ state: 'ACTIVE', paid_in_other_currency: false, earned: 10 });
});
