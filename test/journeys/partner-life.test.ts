// The life of a partner over HTTP, with a clock controlled by the test: refer, onboard, pay, wait,
// release, redeem, upgrade at the eleventh referral, KYC, payout, refund, debt, end of quarter,
// certificate.

import { expect, test } from 'vitest';
import { issueTaxCertificates } from '../../graphql-api/partner/issue-certificates.job.ts';
import { releaseCredits } from '../../graphql-api/partner/release-credits.job.ts';
import { encodeNodeId } from '../../graphql-api/platform/graph/node-id.ts';
import { kycBody } from '../graphql-api/harness/partner.ts';
import { type Caller, useClockedApi } from '../graphql-api/partner/clocked-api.ts';
import { type Payment, type Program, programOf } from '../graphql-api/partner/program.ts';
import { type Answer, send } from '../harness/http.ts';

const api = useClockedApi();

type Json = Record<string, unknown>;

async function ok(answer: Promise<Answer>): Promise<Json> {
  const answered = await answer;
  expect(answered.status, answered.text).toBe(200);
  return answered.json();
}

async function refused(answer: Promise<Answer>): Promise<unknown> {
  const answered = await answer;
  return [answered.status, answered.json().detail];
}

/**
 * A browser follows the link and keeps the cookie; the code is submitted at the end of the
 * onboarding.
 */
async function signUp(referrer: Caller): Promise<Caller> {
  const { code } = await ok(referrer.get('/api/v1/billing/referral'));
  const link = await send(`${api().url}/refer/${String(code)}`, { method: 'GET' });
  expect(link.status).toBe(301);
  const page = await send(`${api().url}${link.headers.location}`, { method: 'GET' });
  const [, kept] = /^service_ref_code=([^;]+);/.exec(page.headers['set-cookie']![0]!)!;
  const referee = await api().owner();
  await ok(referee.post('/api/v1/referrals/attribution', { code: kept }));
  return referee;
}

async function walletOf(caller: Caller): Promise<Json> {
  return ok(caller.get('/api/v1/referrals/wallet'));
}

test('the lifecycle of a partner', async () => {
  const program = await programOf(api());
  const partner = await api().owner();
  api().setClock('2026-01-10T09:30:00Z');
  const referee = await signUp(partner);
  await earnAndRelease(program, partner, referee);
  await redeem(program, partner);
  await upgrade(program, partner);
  await passKyc(program, partner);
  const payment = await payOut(program, partner, referee);
  await fallIntoDebt(program, partner, referee, payment);
  await certify(partner);
  const { reconciliation } = await program.admin.graph('{ reconciliation { check subject } }');
  expect(reconciliation).toEqual([]);
});

async function earnAndRelease(program: Program, partner: Caller, referee: Caller) {
  expect(await walletOf(partner)).toMatchObject({ credits_earned: 0, last_activity_at: null });
  expect((await program.pay(referee, '10000')).outcome).toBe('EARNED');
  expect(await walletOf(partner)).toMatchObject({
    credits_pending: 1000,
    credits_balance: 0,
    pending_next_release_date: '2026-02-10',
  });
  expect((await program.pay(referee, '10000')).outcome).toBe('NOT_FIRST');
  api().setClock('2026-02-09T02:00:00Z');
  await api().runJob(releaseCredits);
  expect(await walletOf(partner)).toMatchObject({ credits_pending: 1000 });
  api().setClock('2026-02-10T02:00:00Z');
  await api().runJob(releaseCredits);
  expect(await walletOf(partner)).toMatchObject({ credits_pending: 0, credits_balance: 1000 });
}

async function redeem(program: Program, partner: Caller) {
  const redeemOf = (amount: number, invoice = 'INV-1') =>
    partner.post('/api/v1/referrals/credits/redeem', {
      invoice_id: invoice,
      invoice_total: 1200,
      requested_amount: amount,
    });
  await program.registerInvoice(partner, 'INV-1', '1200');
  await program.registerInvoice(partner, 'INV-SMS', '1200', 'SMS');
  expect(await refused(redeemOf(100, 'INV-SMS'))).toEqual([422, 'PASSTHROUGH_INVOICE']);
  await ok(redeemOf(400));
  expect(await refused(redeemOf(200.01))).toEqual([422, 'REDEMPTION_CAP_EXCEEDED']);
  await ok(redeemOf(200));
  expect(await walletOf(partner)).toMatchObject({ credits_balance: 400, credits_redeemed: 600 });
}

async function upgrade(program: Program, partner: Caller) {
  const { active_referrals_count } = await ok(partner.get('/api/v1/referrals/active-count'));
  for (let count = Number(active_referrals_count); count < 11; count++) {
    expect(await refused(partner.post('/api/v1/affiliates/upgrade'))).toEqual([
      403,
      'UPGRADE_NOT_ELIGIBLE',
    ]);
    await program.pay(await signUp(partner), '100');
  }
  expect(await ok(partner.get('/api/v1/billing/referral'))).toMatchObject({
    referrals_count: 11,
    upgrade_eligible: true,
    partner_status: 'USER',
  });
  expect(await ok(partner.post('/api/v1/affiliates/upgrade'))).toMatchObject({
    kyc_status: 'KYC_PENDING',
  });
}

async function passKyc(program: Program, partner: Caller) {
  const ask = () => partner.post('/api/v1/affiliates/payouts/request', { requested_amount: 1000 });
  await ok(partner.post('/api/v1/affiliates/kyc/submit', kycBody()));
  expect(await refused(ask())).toEqual([403, 'KYC_NOT_APPROVED']);
  const path = `/api/v1/admin/referrals/kyc/${partner.organizationId}/approve`;
  expect((await partner.post(path)).status).toBe(403);
  await ok(program.admin.post(path));
  expect(await ok(partner.get('/api/v1/affiliates/kyc/profile'))).toMatchObject({
    kyc_status: 'KYC_APPROVED',
  });
  expect(await ok(partner.get('/api/v1/billing/referral'))).toMatchObject({
    partner_status: 'AFFILIATE',
  });
  expect(await refused(ask())).toEqual([422, 'INSUFFICIENT_BALANCE']);
}

/** Returns the payment whose commission was paid out. */
async function payOut(program: Program, partner: Caller, referee: Caller): Promise<Payment> {
  const ask = (amount: number) =>
    partner.post('/api/v1/affiliates/payouts/request', { requested_amount: amount });
  const payment = await program.pay(referee, '10000');
  await ok(partner.post('/api/v1/affiliates/credits-to-cash', { requested_amount: 400 }));
  expect(await walletOf(partner)).toMatchObject({ credits_balance: 0, cash_balance: 2400 });
  expect(await refused(ask(999.99))).toEqual([422, 'BELOW_MIN_THRESHOLD']);
  expect(await refused(ask(2400))).toEqual([422, 'NET30_GUARDRAIL']);
  api().advanceDays(30);
  const { payout } = (await ok(ask(2400))) as { payout: Json };
  expect(payout).toMatchObject({ tax_amount: 48, net_amount: 2352, status: 'REQUESTED' });
  const id = encodeNodeId('Payout', String(payout.id));
  for (const input of [{ to: 'PROCESSING' }, { to: 'PAID', bankReference: 'UTR000001' }]) {
    const { userErrors } = await program.admin.mutate('payoutAdvance', '__typename', { id, input });
    expect(userErrors).toEqual([]);
  }
  expect(await walletOf(partner)).toMatchObject({ cash_balance: 0, cash_withdrawn: 2400 });
  return payment;
}

async function fallIntoDebt(program: Program, partner: Caller, referee: Caller, payment: Payment) {
  await api().runJob(releaseCredits);
  // The credits for the ten other referees, which have been released.
  expect(await walletOf(partner)).toMatchObject({ credits_balance: 100, debt: 0 });
  await program.refund(payment, '2500');
  expect(await walletOf(partner)).toMatchObject({
    credits_balance: 0,
    cash_earned: 1500,
    debt: 400,
  });
  expect(
    await refused(partner.post('/api/v1/affiliates/credits-to-cash', { requested_amount: 1 })),
  ).toEqual([422, 'INSUFFICIENT_BALANCE']);
  await program.pay(referee, '5000');
  expect(await walletOf(partner)).toMatchObject({ cash_balance: 600, debt: 0 });
}

async function certify(partner: Caller) {
  const path = '/api/v1/affiliates/tds-certificates';
  expect(await ok(partner.get(path))).toMatchObject({ items: [] });
  api().setClock('2026-04-01T01:30:00Z');
  await api().runJob(issueTaxCertificates);
  await api().runJob(issueTaxCertificates);
  const { items } = (await ok(partner.get(path))) as { items: Json[] };
  expect(items).toHaveLength(1);
  expect(items[0]).toMatchObject({ gross_amount: 2400, tax_amount: 48, net_amount: 2352 });
  const pdf = await partner.get(`${path}/${String(items[0]!.id)}/download`);
  expect(pdf.status).toBe(200);
  expect(pdf.headers['content-type']).toBe('application/pdf');
  expect(pdf.text.startsWith('%PDF-')).toBe(true);
}
