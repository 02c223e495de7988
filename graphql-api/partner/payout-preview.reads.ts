// Previews a payout request, by the same rules as the request itself.

import type { Context } from '../platform/context.ts';
import { kysely } from '../platform/database/kysely.ts';
import { isAmount, minorOf } from '../platform/money.ts';
import { reject } from '../platform/rejected.ts';
import { share } from './ledger/shares.ts';
import { type PayoutRefusal, payeeTaxRateBps, payoutRefusal, youngCash } from './payout.rules.ts';
import { ownTerms } from './program-terms.reads.ts';

export type PayoutPreview = {
  readonly currency: string;
  /** Cash that has reached the minimum age. */
  readonly payableMinor: bigint;
  /** When more cash reaches the minimum age; null if all cash has reached it. */
  readonly nextEligibleAt: Date | null;
  /** Undefined if the KYC is not approved. */
  readonly taxRateBps: number | undefined;
  readonly taxMinor: bigint | undefined;
  readonly netMinor: bigint | undefined;
  readonly refusal: PayoutRefusal | 'KYC_NOT_APPROVED' | undefined;
};

/** Without an amount, `refusal` is determined for the minimum payout. */
export async function payoutPreview(
  context: Context,
  requestedAmount: string | undefined,
): Promise<PayoutPreview> {
  const { organizationId } = context.viewer ?? reject('UNAUTHENTICATED');
  const { currency, payoutMinimumMinor: minimumMinor } = await ownTerms(context);
  const asked = requestedAmount === undefined ? undefined : requireMinor(requestedAmount, currency);
  const em = await context.read();
  const cash = await kysely(em)
    .selectFrom('ledger_accounts')
    .select(['walletId', 'balanceMinor'])
    .where('organizationId', '=', organizationId)
    .where('kind', '=', 'CASH')
    .executeTakeFirst();
  const cashMinor = cash?.balanceMinor ?? 0n;
  const young = cash?.walletId
    ? await youngCash(em, cash.walletId, context.deps.clock.nowMs())
    : { amountMinor: 0n, nextEligibleAt: null };
  const taxRateBps = await payeeTaxRateBps(em, organizationId);
  const amountMinor = asked ?? minimumMinor;
  const amounts = { amountMinor, minimumMinor, cashMinor, youngMinor: young.amountMinor };
  const oldMinor = cashMinor - young.amountMinor;
  const taxMinor =
    asked === undefined || taxRateBps === undefined ? undefined : share(asked, taxRateBps);
  return {
    currency,
    payableMinor: oldMinor > 0n ? oldMinor : 0n,
    nextEligibleAt: young.nextEligibleAt,
    taxRateBps,
    taxMinor,
    netMinor: taxMinor === undefined ? undefined : amountMinor - taxMinor,
    refusal: taxRateBps === undefined ? 'KYC_NOT_APPROVED' : payoutRefusal(amounts),
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
