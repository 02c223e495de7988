import { countOf } from '../platform/database/count-of.ts';
import { kysely } from '../platform/database/kysely.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { AffiliateProfile } from './affiliate.entity.ts';
import { PartnerProfile } from './partner-profile.entity.ts';
import { RefereeRelation } from './referral.entity.ts';

/** The number of active referrals required to become an affiliate. */
export const UPGRADE_THRESHOLD = 11;

/** Creates the affiliate profile of the viewer's organization. Idempotent. */
export async function affiliateUpgrade(scope: ActionScope): Promise<{ readonly id: string }> {
  const { em, viewer, deps, audit } = scope;
  const id = viewer.organizationId;
  if (await countOf(em, AffiliateProfile, { organizationId: id })) return { id };
  // Agencies are exempt: a platform admin has already appointed them.
  const agency = { organizationId: id, partnerStatus: 'AGENCY' } as const;
  if (!(await countOf(em, PartnerProfile, agency))) await requireReferrals(scope);
  const inserted = await kysely(em)
    .insertInto('affiliate_profiles')
    .values({ organizationId: id, createdAt: new Date(deps.clock.nowMs()) })
    .onConflict(existing => existing.doNothing())
    .returning('organizationId')
    .execute();
  if (inserted.length > 0)
    await audit({
      action: 'affiliate_profile.create',
      subjectId: id,
      after: { kycStatus: 'KYC_PENDING' },
      workspaceId: null,
    });
  return { id };
}

/** An active referral has at least one cleared payment that was not charged back. */
async function requireReferrals({ em, viewer }: ActionScope): Promise<void> {
  const active = await countOf(em, RefereeRelation, {
    referrerOrganizationId: viewer.organizationId,
    livePayments: { $gt: 0 },
  });
  if (active >= UPGRADE_THRESHOLD) return;
  reject('UPGRADE_NOT_ELIGIBLE', {
    message: `Becoming an affiliate requires ${UPGRADE_THRESHOLD} active referrals; the organization has ${active}.`,
  });
}
