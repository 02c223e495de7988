// The referrals of the viewer's organization. The identity of the referred organizations is not
// exposed.

import type { FilterQuery } from '@mikro-orm/postgresql';
import type { Context } from '../platform/context.ts';
import { ownReads } from '../platform/database/entity-reads.ts';
import { rowsOf, sql } from '../platform/database/kysely.ts';
import { reject } from '../platform/rejected.ts';
import { RefereeRelation } from './referral.entity.ts';

export type ReferralState = 'SIGNED_UP' | 'ACTIVE' | 'INACTIVE';

/**
 * SIGNED_UP: has not paid. ACTIVE: has a cleared payment that was not charged back. INACTIVE: has
 * paid, but has no such payment.
 */
export function referralStateOf({ firstPaymentId, livePayments }: RefereeRelation): ReferralState {
  if (firstPaymentId == null) return 'SIGNED_UP';
  return livePayments > 0 ? 'ACTIVE' : 'INACTIVE';
}

/** Its payments so far earn nothing. Its first payment in the program's currency still does. */
export function hasPaidInOtherCurrencyOnly(referral: RefereeRelation): boolean {
  return referral.firstPaymentId != null && referral.firstCountedPaymentId == null;
}

export const referrals = ownReads(RefereeRelation, 'referrerOrganizationId');

export type ReferralCounts = Readonly<Record<ReferralState, number>> & { readonly total: number };

export async function referralCounts(context: Context): Promise<ReferralCounts> {
  const em = await context.read();
  const [counts] = await rowsOf(
    em,
    sql<{ total: number; signedUp: number; active: number; inactive: number }>`
      SELECT count(*)::int AS total,
             (count(*) FILTER (WHERE first_payment_id IS NULL))::int AS signed_up,
             (count(*) FILTER (WHERE live_payments > 0))::int AS active,
             (count(*) FILTER (WHERE first_payment_id IS NOT NULL AND live_payments = 0))::int
               AS inactive
      FROM referee_relations WHERE referrer_organization_id = ${organizationOf(context)}`,
  );
  const { total, signedUp, active, inactive } = counts!;
  return { total, SIGNED_UP: signedUp, ACTIVE: active, INACTIVE: inactive };
}

/**
 * The amount that each referral earned, net of clawbacks. Referrals without earnings are omitted.
 */
export async function earnedByReferrals(context: Context, ids: readonly string[]) {
  return rowsOf(
    await context.read(),
    sql<{ readonly id: string; readonly earnedMinor: bigint }>`
      SELECT relation.id, sum(earning.amount_minor - earning.clawed_minor)::bigint AS earned_minor
      FROM referee_relations relation JOIN earnings earning
        ON earning.organization_id = referrer_organization_id
        AND earning.referee_organization_id = relation.referee_organization_id
      WHERE referrer_organization_id = ${organizationOf(context)} AND relation.id = ANY(${ids})
      GROUP BY relation.id`,
  );
}

/** Loads referrals by the ID of the paying organization, which must not be exposed. */
export async function referralsByReferees(
  context: Context,
  refereeOrganizationIds: readonly string[],
): Promise<readonly RefereeRelation[]> {
  return (await context.read()).find(RefereeRelation, {
    refereeOrganizationId: { $in: [...refereeOrganizationIds] },
    referrerOrganizationId: organizationOf(context),
  });
}

export function inState(state: ReferralState | null | undefined): FilterQuery<RefereeRelation> {
  switch (state) {
    case null:
    case undefined:
      return {};
    case 'SIGNED_UP':
      return { firstPaymentId: null };
    case 'ACTIVE':
      return { livePayments: { $gt: 0 } };
    case 'INACTIVE':
      return { firstPaymentId: { $ne: null }, livePayments: 0 };
  }
}

function organizationOf({ viewer }: Context): string {
  return (viewer ?? reject('UNAUTHENTICATED')).organizationId;
}
