import type { Context } from '../platform/context.ts';
import { numberOf } from '../platform/money.ts';
import type { RestApp } from '../platform/rest/rest-app.ts';
import { changeRoute, showRoute } from '../platform/rest/routes.ts';
import { UPGRADE_THRESHOLD } from './affiliate.upgrade.ts';
import { partnerStatus } from './program-terms.reads.ts';
import { attributeReferral } from './referral.attribute.ts';
import {
  activeReferralsResource,
  attributionResource,
  type ReferralDashboardResource,
  type ReferralResource,
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
  referrals,
} from './referral.reads.ts';
import { ownWallet } from './wallet.reads.ts';

const TAG = 'Referrals';
/** The same number as on the agency dashboard. */
const RECENT_REFERRALS = 20;

export function referralRoutes(app: RestApp): void {
  showRoute(app, {
    path: '/api/v1/billing/referral',
    tag: TAG,
    operationId: 'getReferralSummary',
    summary: 'Retrieve the referral summary',
    description:
      'Returns the referral code, the referral counts and the credit balances. The code is created by the first call and never changes.',
    result: ['The referral summary.', referralSummaryResource],
    show: async (_, context) => (await summaryOf(context)).summary,
  });
  showRoute(app, {
    path: '/api/v1/referrals/dashboard',
    tag: TAG,
    operationId: 'getReferralDashboard',
    summary: 'Retrieve the referral dashboard',
    description:
      'Returns the summary with counts by state, the wallet balances and the latest referrals.',
    points: 2,
    result: ['The dashboard.', referralDashboardResource],
    show: (_, context) => dashboardAnswer(context),
  });
  showRoute(app, {
    path: '/api/v1/referrals/active-count',
    tag: TAG,
    operationId: 'getActiveReferralCount',
    summary: 'Count the active referrals',
    description:
      'A referral is active from its first cleared payment until all of its payments are charged back. The response states whether the organization has enough active referrals to become an affiliate.',
    result: ['The number of active referrals.', activeReferralsResource],
    show: async (_, context) => ({
      status: 'SUCCESS' as const,
      ...upgradeOf(await referralCounts(context)),
    }),
  });
  changeRoute(app, {
    path: '/api/v1/referrals/attribution',
    tag: TAG,
    operationId: 'attributeReferral',
    summary: 'Attribute the organization to a referrer',
    description:
      'Once a valid code has been submitted, the attribution cannot be changed. Attribution is possible only before the organization’s first payment. Owners only.',
    body: referralAttributeBody,
    result: ['The attribution in effect.', { attribution: attributionResource }],
    operation: 'referralAttribute',
    action: attributeReferral,
    input: body => body,
    show: ({ code, attributedAt, currency }) => ({
      attribution: { code, attributed_at: attributedAt, currency },
    }),
  });
}

function upgradeOf({ ACTIVE }: ReferralCounts) {
  return {
    active_referrals_count: ACTIVE,
    upgrade_threshold: UPGRADE_THRESHOLD,
    upgrade_eligible: ACTIVE >= UPGRADE_THRESHOLD,
  };
}

async function summaryOf(context: Context) {
  const code = await ensureReferralCode(context);
  const counts = await referralCounts(context);
  const wallet = await ownWallet(context);
  const amount = (amountMinor: bigint) => numberOf({ amountMinor, currencyCode: wallet.currency });
  const summary = {
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
  return { summary, counts, wallet, amount };
}

async function dashboardAnswer(context: Context): Promise<ReferralDashboardResource> {
  const { summary, counts, wallet, amount } = await summaryOf(context);
  const { total: _total, ...countsByState } = counts;
  const { items } = await referrals.page(context, { first: RECENT_REFERRALS });
  const ids = items.map(({ id }) => id);
  const earned = await earnedByReferrals(context, ids);
  const earnedById = new Map(earned.map(one => [one.id, one.earnedMinor]));
  return {
    status: 'SUCCESS',
    ...summary,
    share_path: `/refer/${summary.code}`,
    counts_by_state: countsByState,
    ...upgradeOf(counts),
    currency: wallet.currency,
    cash_earned: amount(wallet.cashEarnedMinor),
    cash_balance: amount(wallet.cashBalanceMinor),
    debt: amount(wallet.debtMinor),
    recent_referrals: items.map(one => referralAnswer(one, amount(earnedById.get(one.id) ?? 0n))),
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
