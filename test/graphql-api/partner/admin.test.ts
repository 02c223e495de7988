// Mutations and queries about credits, terms, payments and invoices for platform admins.

import { v7 as uuidv7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { releaseCredits } from '../../../graphql-api/partner/release-credits.job.ts';
import { encodeNodeId } from '../../../graphql-api/platform/graph/node-id.ts';
import { useAdmin, wallet } from './admin-actions.ts';
import { type Caller, dayAfter, organizationNode } from './clocked-api.ts';

const { api, program, admin, errorsOf } = useAdmin();

describe('a single credit', () => {
  async function pending(): Promise<{ referrer: Caller; id: string }> {
    const referrer = await program().referrer();
    await program().pay(await program().referee(referrer), '1000');
    const { earnings } = await referrer.graph('{ earnings(first: 1) { nodes { id } } }');
    return { referrer, id: (earnings as { nodes: { id: string }[] }).nodes[0]!.id };
  }

  test('can be rescheduled, or released by the next run', async () => {
    const { referrer, id } = await pending();
    const due = dayAfter(api().today(), 30);
    const move = (releaseDate: string) =>
      admin().mutate('creditReschedule', 'earning { releaseDate }', {
        id,
        input: { releaseDate, reason: 'looked into' },
      });
    expect(await move(dayAfter(due, 60))).toMatchObject({
      earning: { releaseDate: dayAfter(due, 60) },
    });
    api().advanceDays(30);
    await api().runJob(releaseCredits);
    expect(await wallet(referrer)).toMatchObject({
      credits_pending: 100,
      pending_next_release_date: dayAfter(due, 60),
    });
    await move(api().today());
    await api().runJob(releaseCredits);
    expect(await wallet(referrer)).toMatchObject({ credits_balance: 100, credits_pending: 0 });
    const late = await errorsOf('creditReschedule', {
      id,
      input: { releaseDate: due, reason: 'x' },
    });
    expect(late).toEqual(['CREDIT_STATUS id']);
    const entries = await api().sql(
      `SELECT before, after FROM audit_log WHERE action = 'earning.reschedule'
         AND organization_id = $1 ORDER BY created_at, id`,
      [referrer.organizationId],
    );
    expect(entries).toEqual([
      {
        before: { releaseDate: due },
        after: { releaseDate: dayAfter(due, 60), reason: 'looked into' },
      },
      {
        before: { releaseDate: dayAfter(due, 60) },
        after: { releaseDate: api().today(), reason: 'looked into' },
      },
    ]);
  });

  test('of any organization is found by organization and status', async () => {
    const { referrer, id } = await pending();
    const nodes = await admin().graph(
      `query ($organizationId: ID) {
        platformEarnings(first: 5, organizationId: $organizationId, status: PENDING) {
          nodes { id amount { amount } referral { id } }
        }
      }`,
      { organizationId: organizationNode(referrer) },
    );
    expect(nodes).toEqual({
      platformEarnings: { nodes: [{ id, amount: { amount: '100.00' }, referral: null }] },
    });
  });
});

describe('terms', () => {
  test('apply to later payments; existing earnings keep their terms', async () => {
    const referrer = await program().referrer({ region: 'GLOBAL' });
    const usd = { currency: 'USD' };
    await program().pay(await program().referee(referrer), '100', usd);
    const input = { region: 'GLOBAL', creditRateBps: 2500, holdDays: 7, payoutMinimum: '50.5' };
    const payload = await admin().mutate(
      'programTermsUpdate',
      'programTerms { creditRateBps holdDays commissionRateBps payoutMinimum { amount currencyCode } }',
      { input },
    );
    expect(payload).toEqual({
      programTerms: {
        creditRateBps: 2500,
        holdDays: 7,
        commissionRateBps: 2000,
        payoutMinimum: { amount: '50.50', currencyCode: 'USD' },
      },
      userErrors: [],
    });
    await program().pay(await program().referee(referrer), '100', usd);
    const schedule = (await referrer.get('/api/v1/referrals/wallet/pending')).json();
    expect(schedule.release_schedule).toEqual([
      { release_date: dayAfter(api().today(), 7), total_amount: 25, transaction_count: 1 },
      { release_date: dayAfter(api().today(), 60), total_amount: 10, transaction_count: 1 },
    ]);
  });

  test.for([
    [{ region: 'NOWHERE' }, 'NOT_FOUND input.region'],
    [{ region: 'GLOBAL', creditRateBps: 10_001 }, 'BAD_USER_INPUT input.creditRateBps'],
    [{ region: 'GLOBAL', payoutMinimum: '1.005' }, 'BAD_USER_INPUT input.payoutMinimum'],
    [{ region: 'GLOBAL', dormancyDays: 0 }, 'BAD_USER_INPUT input.dormancyDays'],
  ] as const)('are refused: %j', async ([input, expected]) => {
    expect(await errorsOf('programTermsUpdate', { input })).toEqual([expected]);
  });

  test('an organization’s region can be set until it has a wallet', async () => {
    const referrer = await api().owner();
    const input = { organizationId: organizationNode(referrer), region: 'GLOBAL' };
    expect(await errorsOf('partnerRegionSet', { input })).toEqual([]);
    const { referralProgram } = await referrer.graph('{ referralProgram { terms { region } } }');
    expect(referralProgram).toEqual({ terms: { region: 'GLOBAL' } });
    await program().pay(await program().referee(referrer), '100', { currency: 'USD' });
    const back = { ...input, region: 'INDIA' };
    expect(await errorsOf('partnerRegionSet', { input: back })).toEqual([
      'REGION_FIXED input.organizationId',
    ]);
    const nowhere = { ...input, region: 'NOWHERE' };
    expect(await errorsOf('partnerRegionSet', { input: nowhere })).toEqual([
      'NOT_FOUND input.region',
    ]);
  });
});

describe('payments and invoices', () => {
  test('a repeat changes nothing, and different values under the same ID are refused', async () => {
    const referrer = await program().referrer();
    const payer = await program().referee(referrer);
    const input = {
      paymentId: uuidv7(),
      organizationId: organizationNode(payer),
      amount: '1000',
      currency: 'INR',
    };
    const shown = 'outcome earning { amount { amount } }';
    const first = await admin().mutate('paymentRecord', shown, { input });
    expect(first).toMatchObject({ outcome: 'EARNED', earning: { amount: { amount: '100.00' } } });
    expect(await admin().mutate('paymentRecord', shown, { input })).toEqual(first);
    expect(await errorsOf('paymentRecord', { input: { ...input, amount: '999' } })).toEqual([
      'PAYMENT_MISMATCH ',
    ]);
    const invoice = {
      organizationId: input.organizationId,
      invoiceId: uuidv7(),
      total: '10',
      currency: 'INR',
    };
    expect(await errorsOf('invoiceRegister', { input: invoice })).toEqual([]);
    expect(await errorsOf('invoiceRegister', { input: invoice })).toEqual([]);
    expect(await errorsOf('invoiceRegister', { input: { ...invoice, total: '11' } })).toEqual([
      'INVOICE_ALREADY_REGISTERED input.invoiceId',
    ]);
  });

  test('of unknown organizations or payments are not found', async () => {
    const organizationId = encodeNodeId('Organization', uuidv7());
    const payment = { paymentId: uuidv7(), organizationId, amount: '1', currency: 'INR' };
    expect(await errorsOf('paymentRecord', { input: payment })).toEqual([
      'NOT_FOUND input.organizationId',
    ]);
    const refund = { refundId: uuidv7(), paymentId: uuidv7(), amount: '1' };
    expect(await errorsOf('refundRecord', { input: refund })).toEqual([
      'NOT_FOUND input.paymentId',
    ]);
  });

  test('have no decimals in yen', async () => {
    const organizationId = organizationNode(await api().owner());
    const payment = { paymentId: uuidv7(), organizationId, amount: '1.5', currency: 'JPY' };
    expect(await errorsOf('paymentRecord', { input: payment })).toEqual([
      'BAD_USER_INPUT input.amount',
    ]);
  });

  test('a chargeback may come before its payment', async () => {
    const referrer = await program().referrer();
    const payer = await program().referee(referrer);
    const paymentId = uuidv7();
    const early = await admin().mutate('chargebackRecord', 'outcome earning { status }', {
      input: { chargebackId: uuidv7(), paymentId },
    });
    expect(early).toEqual({ outcome: null, earning: null, userErrors: [] });
    await program().pay(payer, '1000', { paymentId });
    expect(await wallet(referrer)).toMatchObject({ credits_earned: 0, credits_pending: 0 });
  });
});

test('the reconciliation is empty, and detects manual changes', async () => {
  const document = `query ($organizationId: ID) {
    reconciliation(organizationId: $organizationId) { check organizationId expectedMinor actualMinor }
  }`;
  expect(await admin().graph(document)).toEqual({ reconciliation: [] });
  const referrer = await program().referrer();
  await program().pay(await program().referee(referrer), '1000');
  await api().sql('UPDATE earnings SET amount_minor = 9000 WHERE organization_id = $1', [
    referrer.organizationId,
  ]);
  const organizationId = organizationNode(referrer);
  const { reconciliation } = await admin().graph(document, { organizationId });
  expect(reconciliation).toContainEqual({
    check: 'pending_is_held_credits',
    organizationId,
    expectedMinor: '9000',
    actualMinor: '10000',
  });
  await api().sql('UPDATE earnings SET amount_minor = 10000 WHERE organization_id = $1', [
    referrer.organizationId,
  ]);
});

test.for([
  '{ reconciliation { check } }',
  '{ programTerms { region } }',
  '{ platformPayouts(first: 1) { nodes { id } } }',
  '{ platformEarnings(first: 1) { nodes { id } } }',
])('owners are refused: %s', async document => {
  await expect((await api().owner()).graph(document)).rejects.toThrow('FORBIDDEN');
});
