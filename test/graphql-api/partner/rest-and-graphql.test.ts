// REST and GraphQL return the same data: every REST field is compared with its GraphQL field. A
// field added to REST fails here until it has a counterpart.

import { beforeAll, expect, test } from 'vitest';
import { encodeNodeId } from '../../../graphql-api/platform/graph/node-id.ts';
import { type Caller, useClockedApi } from './clocked-api.ts';
import { type Program, programOf } from './program.ts';
import { type Json, type Money, number, uuid } from './rest-values.ts';

const api = useClockedApi();
let program: Program;
let lively: Caller;

/** Creates an organization with every kind of transaction. */
beforeAll(async () => {
  program = await programOf(api());
  lively = await program.withCredits(500);
  await program.approveKyc(lively);
  await lively.post('/api/v1/affiliates/credits-to-cash', { requested_amount: 120.5 });
  const redeem = (invoice: string, amount: number) =>
    lively.post('/api/v1/referrals/credits/redeem', {
      invoice_id: invoice,
      invoice_total: 1000,
      requested_amount: amount,
    });
  await program.registerInvoice(lively, 'known', '1000');
  await redeem('known', 50.25);
  await redeem('unknown', 20);
  await api().sql(
    `UPDATE partner_profiles SET partner_status = 'AFFILIATE' WHERE organization_id = $1`,
    [lively.organizationId],
  );
  const payer = await program.referee(lively);
  const payment = await program.pay(payer, '12345.67');
  await program.refund(payment, '1000');
  api().advanceDays(30);
  const requested = await lively.post('/api/v1/affiliates/payouts/request', {
    requested_amount: 1111.11,
  });
  const { id } = requested.json().payout as { id: string };
  for (const input of [{ to: 'PROCESSING' }, { to: 'PAID', bankReference: 'UTR-7' }])
    await program.admin.mutate('payoutAdvance', '__typename', {
      id: encodeNodeId('Payout', id),
      input,
    });
  await lively.post('/api/v1/affiliates/payouts/request', { requested_amount: 1000 });
  await api().sql(
    `UPDATE partner_profiles SET partner_status = 'USER' WHERE organization_id = $1`,
    [lively.organizationId],
  );
  const pending = await program.referee(lively);
  await program.pay(pending, '77.70');
  await program.chargeback(await program.pay(await program.referee(lively), '10'));
  await program.referee(lively);
});

async function rest(path: string): Promise<Json> {
  const answer = await lively.get(path);
  expect(answer.status, answer.text).toBe(200);
  return answer.json();
}

const M = '{ amount currencyCode }';

const WALLET = `wallet {
  creditsBalance ${M} creditsEarned ${M} creditsRedeemed ${M} creditsPending ${M}
  pendingNextReleaseDate cashBalance ${M} cashEarned ${M} cashWithdrawn ${M} debt ${M}
  isDormant lastActivityAt
}`;

test('the wallet', async () => {
  const { wallet } = (await lively.graph(`{ ${WALLET} }`)) as { wallet: Json };
  const shown = {
    status: 'SUCCESS',
    credits_balance: number(wallet.creditsBalance),
    credits_earned: number(wallet.creditsEarned),
    credits_redeemed: number(wallet.creditsRedeemed),
    credits_pending: number(wallet.creditsPending),
    pending_next_release_date: wallet.pendingNextReleaseDate,
    cash_balance: number(wallet.cashBalance),
    cash_earned: number(wallet.cashEarned),
    cash_withdrawn: number(wallet.cashWithdrawn),
    debt: number(wallet.debt),
    is_dormant: wallet.isDormant,
    last_activity_at: wallet.lastActivityAt,
  };
  expect(await rest('/api/v1/referrals/wallet')).toEqual(shown);
  expect(shown).toMatchObject({ credits_redeemed: 70.25, cash_withdrawn: 1111.11 });
});

test('the pending schedule', async () => {
  const { pendingSchedule } = (await lively.graph(`{ pendingSchedule {
    totalPending ${M} nextReleaseDate releases { releaseDate total ${M} transactionCount }
  } }`)) as { pendingSchedule: Json };
  expect(await rest('/api/v1/referrals/wallet/pending')).toEqual({
    status: 'SUCCESS',
    total_pending: number(pendingSchedule.totalPending),
    next_release_date: pendingSchedule.nextReleaseDate,
    release_schedule: (pendingSchedule.releases as Json[]).map(release => ({
      release_date: release.releaseDate,
      total_amount: number(release.total),
      transaction_count: release.transactionCount,
    })),
  });
});

test('the ledger', async () => {
  const { walletTransactions } = (await lively.graph(`{ walletTransactions(first: 100) { nodes {
    id kind amount ${M} sourceType sourceId reverses { id } createdAt
    entries { account amount ${M} balanceAfter ${M} }
  } } }`)) as { walletTransactions: { nodes: Json[] } };
  const { items } = await rest('/api/v1/referrals/transactions?limit=100');
  expect(items).toEqual(
    walletTransactions.nodes.map(node => ({
      id: uuid(node.id),
      kind: node.kind,
      amount: number(node.amount),
      currency: (node.amount as Money).currencyCode,
      source_type: node.sourceType,
      source_id: node.sourceId,
      reverses_id: node.reverses === null ? null : uuid((node.reverses as Json).id),
      created_at: node.createdAt,
      entries: (node.entries as Json[]).map(entry => ({
        account: entry.account,
        amount: number(entry.amount),
        balance_after: number(entry.balanceAfter),
      })),
    })),
  );
  const kinds = new Set((items as { kind: string }[]).map(({ kind }) => kind));
  expect(kinds).toEqual(
    new Set([
      'EARN_CREDIT',
      'RELEASE_CREDITS',
      'CONVERT_CREDITS',
      'REDEEM',
      'RESERVE',
      'EARN_COMMISSION',
      'CLAW_BACK',
      'REQUEST_PAYOUT',
      'PAY_PAYOUT',
    ]),
  );
});

test('payouts', async () => {
  const { payouts } = (await lively.graph(`{ payouts(first: 100) { nodes {
    id status gross ${M} taxRateBps tax ${M} net ${M} bankReference reason
    processingAt paidAt closedAt createdAt
  } } }`)) as { payouts: { nodes: Json[] } };
  const { items } = await rest('/api/v1/affiliates/payouts');
  expect(items).toHaveLength(2);
  expect(items).toEqual(
    payouts.nodes.map(node => ({
      id: uuid(node.id),
      status: node.status,
      gross_amount: number(node.gross),
      tax_rate_percent: Number(node.taxRateBps) / 100,
      tax_amount: number(node.tax),
      net_amount: number(node.net),
      currency: (node.gross as Money).currencyCode,
      bank_reference: node.bankReference,
      reason: node.reason,
      requested_at: node.createdAt,
      processing_at: node.processingAt,
      paid_at: node.paidAt,
      closed_at: node.closedAt,
    })),
  );
});

test('the summary, the dashboard and the count', async () => {
  const graph = (await lively.graph(`{
    ${WALLET}
    referralProgram {
      code partnerStatus referralsCount paidReferralsCount activeReferralsCount upgradeThreshold isUpgradeEligible
      terms { currencySymbol currencyCode }
    }
    referrals(first: 20) { nodes { id state firstPaidAt hasPaidInOtherCurrencyOnly createdAt earned ${M} } }
    signedUp: referrals(first: 20, state: SIGNED_UP) { nodes { id } }
    active: referrals(first: 20, state: ACTIVE) { nodes { id } }
    inactive: referrals(first: 20, state: INACTIVE) { nodes { id } }
  }`)) as Record<string, Json> &
    Record<'referrals' | 'signedUp' | 'active' | 'inactive', { nodes: Json[] }>;
  const { wallet, referralProgram: program_ } = graph as Record<string, Json>;
  const terms = program_!.terms as Json;
  const summary = {
    code: program_!.code,
    referrals_count: program_!.referralsCount,
    credits_earned: number(wallet!.creditsEarned),
    credits_currency_symbol: terms.currencySymbol,
    partner_status: program_!.partnerStatus,
    credits_available: number(wallet!.creditsBalance),
    credits_pending: number(wallet!.creditsPending),
    pending_next_release_date: wallet!.pendingNextReleaseDate,
    is_dormant: wallet!.isDormant,
    upgrade_eligible: program_!.isUpgradeEligible,
  };
  expect(await rest('/api/v1/billing/referral')).toEqual(summary);
  const count = {
    active_referrals_count: program_!.activeReferralsCount,
    upgrade_threshold: program_!.upgradeThreshold,
    upgrade_eligible: program_!.isUpgradeEligible,
  };
  expect(program_!.paidReferralsCount).toBe(
    graph.active.nodes.length + graph.inactive.nodes.length,
  );
  expect(await rest('/api/v1/referrals/active-count')).toEqual({ status: 'SUCCESS', ...count });
  expect(await rest('/api/v1/referrals/dashboard')).toEqual({
    status: 'SUCCESS',
    ...summary,
    ...count,
    share_path: `/refer/${String(summary.code)}`,
    counts_by_state: {
      SIGNED_UP: graph.signedUp.nodes.length,
      ACTIVE: graph.active.nodes.length,
      INACTIVE: graph.inactive.nodes.length,
    },
    currency: terms.currencyCode,
    cash_earned: number(wallet!.cashEarned),
    cash_balance: number(wallet!.cashBalance),
    debt: number(wallet!.debt),
    recent_referrals: graph.referrals.nodes.map(node => ({
      id: uuid(node.id),
      state: node.state,
      referred_at: node.createdAt,
      first_paid_at: node.firstPaidAt,
      paid_in_other_currency: node.hasPaidInOtherCurrencyOnly,
      earned: number(node.earned),
    })),
  });
});

test('operations that move money behave the same, and require a key over GraphQL', async () => {
  const redeem = (caller: Caller, amount: string, key?: string) =>
    caller.mutate(
      'creditsRedeem',
      `redemption { id invoiceId invoiceTotal ${M} amount ${M} status expiresAt createdAt }`,
      {
        input: { invoiceId: 'twin', invoiceTotal: '100.00', requestedAmount: amount },
        ...(key !== undefined && { key }),
      },
    );
  await expect(redeem(lively, '1')).rejects.toThrow('idempotent');
  const { redemption } = (await redeem(lively, '10.50', 'twin-1')) as { redemption: Json };
  expect((await redeem(lively, '10.50', 'twin-1')).redemption).toEqual(redemption);
  const twin = await lively.post('/api/v1/referrals/credits/redeem', {
    invoice_id: 'twin',
    invoice_total: 100,
    requested_amount: 10.5,
  });
  expect(twin.json().redemption).toEqual({
    id: expect.not.stringMatching(uuid(redemption.id)),
    invoice_id: redemption.invoiceId,
    invoice_total: number(redemption.invoiceTotal),
    amount: number(redemption.amount),
    currency: 'INR',
    status: redemption.status,
    expires_at: redemption.expiresAt,
    created_at: redemption.createdAt,
  });
  // Equal amounts in different notations are the same request, so this is a repeat.
  const again = await lively.post(
    '/api/v1/referrals/credits/redeem',
    { invoice_id: 'twin', invoice_total: 100, requested_amount: 10.5 },
    { 'idempotency-key': 'twin-1' },
  );
  expect(again.json().redemption).toMatchObject({
    id: expect.stringMatching(uuid(redemption.id)),
  });

  const nobody = await api().owner();
  for (const [name, input, path, body] of [
    [
      'creditsRedeem',
      { invoiceId: 'i', invoiceTotal: '100', requestedAmount: '1' },
      '/api/v1/referrals/credits/redeem',
      { invoice_id: 'i', invoice_total: 100, requested_amount: 1 },
    ],
    ['creditsToCash', {}, '/api/v1/affiliates/credits-to-cash', {}],
    [
      'payoutRequest',
      { requestedAmount: '1000' },
      '/api/v1/affiliates/payouts/request',
      { requested_amount: 1000 },
    ],
    [
      'referralAttribute',
      { code: 'NOBODY-HAS-IT' },
      '/api/v1/referrals/attribution',
      { code: 'NOBODY-HAS-IT' },
    ],
  ] as const) {
    const { userErrors } = await nobody.mutate(name, '__typename', { input, key: name });
    const refused = await nobody.post(path, body);
    expect((userErrors as Json[]).map(({ code }) => code)).toEqual([refused.json().detail]);
  }
});
