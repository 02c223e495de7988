// The rules of a payout request, for the request itself and for its preview.

import type { EntityManager } from '@mikro-orm/postgresql';
import { kysely, rowsOf, sql } from '../platform/database/kysely.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';

export type PayoutRefusal = 'BELOW_MIN_THRESHOLD' | 'INSUFFICIENT_BALANCE' | 'NET30_GUARDRAIL';

type Asked = {
  readonly amountMinor: bigint;
  readonly minimumMinor: bigint;
  readonly cashMinor: bigint;
  /** The part of the cash that has not reached the minimum age. */
  readonly youngMinor: bigint;
};

/**
 * Why a payout is rejected. The checks are in the order of the specification; the first that fails
 * is returned.
 */
export function payoutRefusal(asked: Asked): PayoutRefusal | undefined {
  const { amountMinor, minimumMinor, cashMinor, youngMinor } = asked;
  if (amountMinor < minimumMinor) return 'BELOW_MIN_THRESHOLD';
  if (amountMinor > cashMinor) return 'INSUFFICIENT_BALANCE';
  if (amountMinor > cashMinor - youngMinor) return 'NET30_GUARDRAIL';
  return undefined;
}

/** The tax rate of an organization's payouts; undefined if its KYC is not approved. */
export async function payeeTaxRateBps(
  em: EntityManager,
  organizationId: string,
): Promise<number | undefined> {
  const affiliate = await kysely(em)
    .selectFrom('affiliate_profiles')
    .select(['hasPanVerified', 'hasGst'])
    .where('organizationId', '=', organizationId)
    .where('kycStatus', '=', 'KYC_APPROVED')
    .executeTakeFirst();
  return affiliate && taxRateBps(affiliate);
}

/** The same for the viewer's organization. Requires an approved KYC. */
export async function requirePayee({ em, viewer }: ActionScope): Promise<number> {
  return (await payeeTaxRateBps(em, viewer.organizationId)) ?? reject('KYC_NOT_APPROVED');
}

type YoungCash = {
  readonly amountMinor: bigint;
  /** When the next part reaches the minimum age; null if all of it has. */
  readonly nextEligibleAt: Date | null;
};

/**
 * The cash that has not reached the minimum age. Payouts use the oldest cash first. A commission
 * that repaid a debt counts in full until it has aged, which is the cautious choice.
 */
export async function youngCash(
  em: EntityManager,
  walletId: string,
  nowMs: number,
): Promise<YoungCash> {
  const now = new Date(nowMs);
  const [young] = await rowsOf(
    em,
    sql<YoungCash>`
      SELECT coalesce(sum(amount_minor), 0)::bigint AS amount_minor,
             min(eligible_at) AS next_eligible_at
      FROM (SELECT amount_minor - clawed_minor AS amount_minor, eligible_at FROM earnings
            WHERE wallet_id = ${walletId} AND kind = 'COMMISSION' AND eligible_at > ${now}
              AND amount_minor > clawed_minor
            UNION ALL
            SELECT amount_minor, eligible_at FROM conversions
            WHERE wallet_id = ${walletId} AND eligible_at > ${now}) young`,
  );
  return young!;
}

/**
 * Set by the specification: no tax if registered for GST, otherwise by whether the tax identifier
 * is verified.
 */
export function taxRateBps(profile: {
  readonly hasGst: boolean;
  readonly hasPanVerified: boolean;
}): number {
  if (profile.hasGst) return 0;
  return profile.hasPanVerified ? 200 : 1_000;
}
