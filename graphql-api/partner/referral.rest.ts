import { createRoute } from '@hono/zod-openapi';
import { numberOf } from '../../schema/values/money.ts';
import type { Context } from '../platform/context.ts';
import {
  allow,
  bodyOf,
  changeErrors,
  errors,
  idempotencyHeader,
  json,
  type RestApp,
  resultOf,
} from '../platform/rest/rest-app.ts';
import { runAction } from '../platform/run-action.ts';
import { UPGRADE_THRESHOLD } from './active-referral.reads.ts';
import { partnerStatus } from './program-terms.reads.ts';
import { attributeReferral } from './referral.attribute.ts';
import {
  activeReferralsResource,
  attributionResource,
  type ReferralDashboardResource,
  type ReferralResource,
  type ReferralSummaryResource,
  referralAttributeBody,
  referralDashboardResource,
  referralSummaryResource,
} from './referral.contract.ts';
import { ensureReferralCode } from './referral.ensure-code.ts';
import type { RefereeRelation } from './referral.entity.ts';
import {
  earnedByReferrals,
  hasPaidInOtherCurrencyOnly,
  type ReferralCounts,
  referralCounts,
  referralStateOf,
  referralsPage,
} from './referral.reads.ts';
import { ownWallet } from './wallet.reads.ts';

const TAGS = ['Referrals'];
/** The same number as on the agency dashboard. */
const RECENT_REFERRALS = 20;

export function referralRoutes(app: RestApp): void {
  const summary = createRoute({
    method: 'get',
    path: '/api/v1/billing/referral',
    tags: TAGS,
    operationId: 'getReferralSummary',
    summary: 'Get the referral summary',
    description:
      'Returns the referral code, the referral counts and the credit balances. The code is created by the first call and never changes.',
    middleware: allow('member'),
    responses: { 200: json('The summary.', referralSummaryResource), ...errors() },
  });
  app.openapi(summary, async c => c.json(await summaryAnswer(c.var.context), 200));

  const dashboard = createRoute({
    method: 'get',
    path: '/api/v1/referrals/dashboard',
    tags: TAGS,
    operationId: 'getReferralDashboard',
    summary: 'Get the referral dashboard',
    description:
      'Returns the summary with counts by state, the wallet balances and the latest referrals.',
    middleware: allow('member', 2),
    responses: { 200: json('The dashboard.', referralDashboardResource), ...errors() },
  });
  app.openapi(dashboard, async c => c.json(await dashboardAnswer(c.var.context), 200));

  const active = createRoute({
    method: 'get',
    path: '/api/v1/referrals/active-count',
    tags: TAGS,
    operationId: 'getActiveReferralCount',
    summary: 'Count the active referrals',
    description:
      'A referral is active from its first cleared payment until all of its payments are charged back. The response states whether there are enough active referrals to become an affiliate.',
    middleware: allow('member'),
    responses: { 200: json('The count.', activeReferralsResource), ...errors() },
  });
  app.openapi(active, async c => {
    const counts = await referralCounts(c.var.context);
    return c.json({ status: 'SUCCESS' as const, ...upgradeOf(counts) }, 200);
  });
  attributionRoute(app);
}

function attributionRoute(app: RestApp): void {
  const attribute = createRoute({
    method: 'post',
    path: '/api/v1/referrals/attribution',
    tags: TAGS,
    operationId: 'attributeReferral',
    summary: 'Attribute the organization to a referral code',
    description:
      'The first valid code is final. Attribution is only possible before the organization’s first payment. Owners only.',
    middleware: allow('owner', 10),
    request: { headers: idempotencyHeader, body: bodyOf(referralAttributeBody) },
    responses: {
      200: json('The attribution in effect.', resultOf({ attribution: attributionResource })),
      ...changeErrors(),
    },
  });
  app.openapi(attribute, async c => {
    const options = {
      operation: 'referralAttribute',
      idempotencyKey: c.req.header('idempotency-key'),
    };
    const input = c.req.valid('json');
    const { code, attributedAt, currency } = await runAction(
      c.var.context,
      attributeReferral,
      input,
      options,
    );
    const attribution = { code, attributed_at: attributedAt, currency };
    return c.json({ status: 'SUCCESS' as const, attribution }, 200);
  });
}

function upgradeOf({ ACTIVE }: ReferralCounts) {
  return {
    active_referrals_count: ACTIVE,
    upgrade_threshold: UPGRADE_THRESHOLD,
    upgrade_eligible: ACTIVE >= UPGRADE_THRESHOLD,
  };
}

async function summaryAnswer(context: Context): Promise<ReferralSummaryResource> {
  const code = await ensureReferralCode(context);
  const counts = await referralCounts(context);
  const wallet = await ownWallet(context);
  const amount = (amountMinor: bigint) => numberOf({ amountMinor, currencyCode: wallet.currency });
  return {
    code,
    referrals_count: counts.total,
    credits_earned: amount(wallet.creditsEarnedMinor),
    credits_currency_symbol: wallet.currencySymbol,
    partner_status: await partnerStatus(context),
    credits_available: amount(wallet.creditsBalanceMinor),
    credits_pending: amount(wallet.creditsPendingMinor),
    pending_next_release_date: wallet.pendingNextReleaseDate,
    is_dormant: wallet.isDormant,
    upgrade_eligible: upgradeOf(counts).upgrade_eligible,
  };
}

async function dashboardAnswer(context: Context): Promise<ReferralDashboardResource> {
  const { upgrade_eligible: _same, ...summary } = await summaryAnswer(context);
  const { total: _total, ...countsByState } = await referralCounts(context);
  const wallet = await ownWallet(context);
  const amount = (amountMinor: bigint) => numberOf({ amountMinor, currencyCode: wallet.currency });
  const { items } = await referralsPage(context, { first: RECENT_REFERRALS });
  const earned = new Map(
    (
      await earnedByReferrals(
        context,
        items.map(({ id }) => id),
      )
    ).map(one => [one.id, one.earnedMinor]),
  );
  return {
    status: 'SUCCESS',
    ...summary,
    share_path: `/refer/${summary.code}`,
    counts_by_state: countsByState,
    ...upgradeOf({ total: summary.referrals_count, ...countsByState }),
    currency: wallet.currency,
    cash_earned: amount(wallet.cashEarnedMinor),
    cash_balance: amount(wallet.cashBalanceMinor),
    debt: amount(wallet.debtMinor),
    recent_referrals: items.map(one => referralAnswer(one, amount(earned.get(one.id) ?? 0n))),
  };
}

function referralAnswer(referral: RefereeRelation, earned: number): ReferralResource {
  return {
    id: referral.id,
    state: referralStateOf(referral),
    referred_at: referral.createdAt.toISOString(),
    first_paid_at: referral.firstPaidAt?.toISOString() ?? null,
    paid_in_other_currency: hasPaidInOtherCurrencyOnly(referral),
    earned,
  };
}
