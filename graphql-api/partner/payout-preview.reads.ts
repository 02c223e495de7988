// Previews a payout request, by the same rules as the request itself.

import { isAmount, minorOf } from '../../schema/values/money.ts';
import type { Context } from '../platform/context.ts';
import { reject } from '../platform/rejected.ts';
import { type PayoutRefusal, payoutRefusal } from './ledger/payout-refusal.ts';
import { share, taxRateBps } from './ledger/shares.ts';
import { youngCash } from './ledger/young-cash.ts';
import { ownTerms } from './program-terms.reads.ts';

export type PayoutPreview = {
  readonly currency: string;
  /** Cash that has reached the minimum age. */
  readonly payableMinor: bigint;
  /** When more cash reaches the minimum age; null if all of it has. */
  readonly nextEligibleAt: Date | null;
  /** Null if the KYC is not approved. */
  readonly taxRateBps: number | null;
  readonly taxMinor: bigint | null;
  readonly netMinor: bigint | null;
  readonly refusal: PayoutRefusal | 'KYC_NOT_APPROVED' | undefined;
};

/** Without an amount, `refusal` is determined for the minimum payout. */
export async function payoutPreview(
  context: Context,
  requestedAmount: string | undefined,
): Promise<PayoutPreview> {
  const { currency, payoutMinimumMinor: minimumMinor } = await ownTerms(context);
  const asked = requestedAmount === undefined ? undefined : requireMinor(requestedAmount, currency);
  const { cashMinor, taxRateBps: rate, young } = await readPayee(context);
  const amountMinor = asked ?? minimumMinor;
  const amounts = { amountMinor, minimumMinor, cashMinor, youngMinor: young.amountMinor };
  const oldMinor = cashMinor - young.amountMinor;
  const taxMinor = asked === undefined || rate === null ? null : share(asked, rate);
  return {
    currency,
    payableMinor: oldMinor > 0n ? oldMinor : 0n,
    nextEligibleAt: young.nextEligibleAt,
    taxRateBps: rate,
    taxMinor,
    netMinor: taxMinor === null ? null : amountMinor - taxMinor,
    refusal: rate === null ? 'KYC_NOT_APPROVED' : payoutRefusal(amounts),
  };
}

function requireMinor(requestedAmount: string, currency: string): bigint {
  const amountMinor = minorOf(requestedAmount, currency);
  if (amountMinor !== undefined && isAmount(amountMinor)) return amountMinor;
  return reject('BAD_USER_INPUT', {
    field: ['requestedAmount'],
    message: `requestedAmount must be a valid amount in ${currency}.`,
  });
}

async function readPayee(context: Context) {
  const { organizationId } = context.viewer ?? reject('UNAUTHENTICATED');
  const em = await context.read();
  const [row] = await em.execute<PayeeRow[]>(
    `SELECT wallet.id AS wallet_id, coalesce(account.balance_minor, 0) AS cash,
            affiliate.has_pan_verified, affiliate.has_gst
     FROM (SELECT ?::uuid AS organization_id) asked
     LEFT JOIN affiliate_profiles affiliate
       ON affiliate.organization_id = asked.organization_id AND affiliate.kyc_status = 'KYC_APPROVED'
     LEFT JOIN wallets wallet ON wallet.organization_id = asked.organization_id
     LEFT JOIN ledger_accounts account ON account.wallet_id = wallet.id AND account.kind = 'CASH'`,
    [organizationId],
  );
  const { wallet_id, cash, has_gst, has_pan_verified } = row!;
  const young =
    wallet_id === null
      ? { amountMinor: 0n, nextEligibleAt: null }
      : await youngCash(em, wallet_id, context.deps.clock.nowMs());
  const rate =
    has_pan_verified === null || has_gst === null
      ? null
      : taxRateBps({ hasGst: has_gst, hasPanVerified: has_pan_verified });
  return { cashMinor: BigInt(cash), taxRateBps: rate, young };
}

type PayeeRow = {
  readonly wallet_id: string | null;
  readonly cash: string;
  readonly has_pan_verified: boolean | null;
  readonly has_gst: boolean | null;
};
