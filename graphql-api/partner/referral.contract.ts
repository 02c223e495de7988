import { z } from 'zod';
import { MISSING } from '../../schema/values/text.ts';

/** The format in links, in the cookie and on the sign-up page. */
export const REFERRAL_CODE = /^[A-Za-z0-9-]{6,16}$/;

export const referralAttributeContract = z.strictObject({
  code: z
    .string({ error: MISSING })
    .regex(REFERRAL_CODE, { error: 'must have 6 to 16 letters, digits or hyphens.' })
    .meta({
      description: 'The referral code: the value of the `service_ref_code` cookie.',
      example: '7KQ2MZ4TXW',
    }),
});
export type ReferralAttribute = z.output<typeof referralAttributeContract>;

export const referralAttributeBody = referralAttributeContract.meta({ id: 'ReferralAttribute' });

export const attributionResource = z
  .object({
    code: z.string().meta({ example: '7KQ2MZ4TXW' }),
    attributed_at: z.iso.datetime().meta({ example: '2026-11-21T09:30:00.000Z' }),
    currency: z.string().meta({
      description:
        'The currency of the referrer’s program terms. Only payments in this currency earn the referrer a reward; the first of them is treated as the organization’s first payment.',
      example: 'INR',
    }),
  })
  .meta({ id: 'Attribution' });

const money = (description: string) => z.number().meta({ description, example: 1204.5 });
const partnerStatus = z.enum(['USER', 'AFFILIATE', 'AGENCY']).meta({ example: 'USER' });
const nextReleaseDate = z.iso.date().nullable().meta({
  description: 'The day on which held credits are next released; null if none are held.',
  example: '2026-12-21',
});

export const referralSummaryResource = z
  .object({
    code: z.string().meta({ example: '7KQ2MZ4TXW' }),
    referrals_count: z
      .int()
      .meta({ description: 'The number of referrals in any state.', example: 12 }),
    credits_earned: money('Credits earned, net of clawbacks and including held credits.'),
    credits_currency_symbol: z.string().meta({ example: '₹' }),
    partner_status: partnerStatus,
    credits_available: money('Credits that can be redeemed.'),
    credits_pending: money('Credits that are still held.'),
    pending_next_release_date: nextReleaseDate,
    is_dormant: z.boolean().meta({ example: false }),
    upgrade_eligible: z.boolean().meta({ example: true }),
  })
  .meta({ id: 'ReferralSummary' });

const upgrade = {
  active_referrals_count: z.int().meta({
    description:
      'The number of referrals with at least one cleared payment that was not charged back.',
    example: 11,
  }),
  upgrade_threshold: z.int().meta({
    description: 'The number of active referrals required to become an affiliate.',
    example: 11,
  }),
  upgrade_eligible: z.boolean().meta({ example: true }),
};

export const activeReferralsResource = z
  .object({ status: z.literal('SUCCESS'), ...upgrade })
  .meta({ id: 'ActiveReferrals' });

const referralResource = z
  .object({
    id: z.uuid().meta({ example: '019aa0f1-4b7c-7c51-9f0e-2f6d5b8f9a10' }),
    state: z.enum(['SIGNED_UP', 'ACTIVE', 'INACTIVE']).meta({
      description:
        'SIGNED_UP: the organization has not paid. ACTIVE: it has at least one cleared payment that was not charged back. INACTIVE: all of its payments were charged back.',
      example: 'ACTIVE',
    }),
    referred_at: z.iso.datetime().meta({ example: '2026-11-21T09:30:00.000Z' }),
    first_paid_at: z.iso.datetime().nullable().meta({ example: '2026-11-22T10:00:00.000Z' }),
    paid_in_other_currency: z.boolean().meta({
      description:
        'Whether the organization has paid only in currencies other than the program’s; such payments earn nothing. For rewards, the first payment in the program’s currency is treated as the organization’s first payment.',
      example: false,
    }),
    earned: money('The amount that the organization earned from the referral, net of clawbacks.'),
  })
  .meta({ id: 'Referral' });
export type ReferralResource = z.output<typeof referralResource>;

export const referralDashboardResource = z
  .object({
    status: z.literal('SUCCESS'),
    code: z.string().meta({ example: '7KQ2MZ4TXW' }),
    share_path: z.string().meta({
      description: 'The path of the referral link. Prepend the base URL.',
      example: '/refer/7KQ2MZ4TXW',
    }),
    partner_status: partnerStatus,
    referrals_count: z.int().meta({ example: 12 }),
    counts_by_state: z
      .object({ SIGNED_UP: z.int(), ACTIVE: z.int(), INACTIVE: z.int() })
      .meta({ example: { SIGNED_UP: 4, ACTIVE: 7, INACTIVE: 1 } }),
    ...upgrade,
    currency: z.string().meta({ example: 'INR' }),
    credits_currency_symbol: z.string().meta({ example: '₹' }),
    credits_earned: money('Credits earned, net of clawbacks and including held credits.'),
    credits_available: money('Credits that can be redeemed.'),
    credits_pending: money('Credits that are still held.'),
    pending_next_release_date: nextReleaseDate,
    cash_earned: money('Cash commissions earned, net of clawbacks.'),
    cash_balance: money('Cash that is not part of a payout.'),
    debt: money(
      'Clawed-back amounts that the balances could not cover. Credits and cash that the wallet receives later go toward this debt first.',
    ),
    is_dormant: z.boolean().meta({ example: false }),
    recent_referrals: z
      .array(referralResource)
      .meta({ description: 'The 20 most recent referrals.' }),
  })
  .meta({ id: 'ReferralDashboard' });
export type ReferralDashboardResource = z.output<typeof referralDashboardResource>;
