// The referrals of the viewer's organization. The identity of the referred organizations is not
// exposed.

import type { FilterQuery } from '@mikro-orm/postgresql';
import type { Context } from '../platform/context.ts';
import { type Page, type PageRequest, readPage } from '../platform/database/page.ts';
import { reject } from '../platform/rejected.ts';
import type { Viewer } from '../platform/viewer.ts';
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

export async function referralsPage(
  context: Context,
  page: PageRequest,
  state?: ReferralState,
): Promise<Page<RefereeRelation>> {
  const where: FilterQuery<RefereeRelation> = {
    ...ownedBy(context.viewer),
    ...(state && inState(state)),
  };
  return readPage(await context.read(), RefereeRelation, where, page);
}

export async function referralsByIds(
  context: Context,
  ids: readonly string[],
): Promise<readonly RefereeRelation[]> {
  const where = { id: { $in: [...ids] }, ...ownedBy(context.viewer) };
  return (await context.read()).find(RefereeRelation, where);
}

export type ReferralCounts = Readonly<Record<ReferralState, number>> & { readonly total: number };

export async function referralCounts(context: Context): Promise<ReferralCounts> {
  const em = await context.read();
  const [row] = await em.execute<ReferralCounts[]>(
    `SELECT count(*)::int AS total,
            (count(*) FILTER (WHERE first_payment_id IS NULL))::int AS "SIGNED_UP",
            (count(*) FILTER (WHERE live_payments > 0))::int AS "ACTIVE",
            (count(*) FILTER (WHERE first_payment_id IS NOT NULL AND live_payments = 0))::int
              AS "INACTIVE"
     FROM referee_relations WHERE referrer_organization_id = ?`,
    [organizationOf(context.viewer)],
  );
  return row!;
}

export type ReferralEarned = { readonly id: string; readonly earnedMinor: bigint };

/**
 * The amount that each referral earned, net of clawbacks. Referrals without earnings are omitted.
 */
export async function earnedByReferrals(
  context: Context,
  ids: readonly string[],
): Promise<readonly ReferralEarned[]> {
  const em = await context.read();
  const organizationId = organizationOf(context.viewer);
  const rows = await em.execute<{ id: string; earned: string }[]>(
    `SELECT relation.id, sum(earning.amount_minor - earning.clawed_minor) AS earned
     FROM referee_relations relation JOIN earnings earning
       ON earning.organization_id = referrer_organization_id
       AND earning.referee_organization_id = relation.referee_organization_id
     WHERE referrer_organization_id = ? AND relation.id = ANY (?::uuid[])
     GROUP BY relation.id`,
    [organizationId, `{${ids.join()}}`],
  );
  return rows.map(({ id, earned }) => ({ id, earnedMinor: BigInt(earned) }));
}

/** Loads referrals by the ID of the paying organization, which must not be exposed. */
export async function referralsByReferees(
  context: Context,
  refereeOrganizationIds: readonly string[],
): Promise<readonly RefereeRelation[]> {
  const refereeOrganizationId = { $in: [...refereeOrganizationIds] };
  const where = { refereeOrganizationId, ...ownedBy(context.viewer) };
  return (await context.read()).find(RefereeRelation, where);
}

function inState(state: ReferralState) {
  switch (state) {
    case 'SIGNED_UP':
      return { firstPaymentId: null };
    case 'ACTIVE':
      return { livePayments: { $gt: 0 } };
    case 'INACTIVE':
      return { firstPaymentId: { $ne: null }, livePayments: 0 };
  }
}

function ownedBy(viewer: Viewer | undefined) {
  return { referrerOrganizationId: organizationOf(viewer) };
}

function organizationOf(viewer: Viewer | undefined): string {
  return (viewer ?? reject('UNAUTHENTICATED')).organizationId;
}
