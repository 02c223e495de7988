import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { activeReferralsOf, UPGRADE_THRESHOLD } from './active-referral.reads.ts';

/** Creates the affiliate profile of the viewer's organization. Idempotent. */
export async function affiliateUpgrade(scope: ActionScope): Promise<{ readonly id: string }> {
  const { em, viewer, deps, audit } = scope;
  const id = viewer.organizationId;
  const [known] = await em.execute<{ has_profile: boolean; is_agency: boolean }[]>(
    `SELECT EXISTS (SELECT FROM affiliate_profiles WHERE organization_id = asked.id) AS has_profile,
            EXISTS (SELECT FROM partner_profiles
                    WHERE organization_id = asked.id AND partner_status = 'AGENCY') AS is_agency
     FROM (SELECT ?::uuid AS id) asked`,
    [id],
  );
  if (known!.has_profile) return { id };
  // Agencies are exempt: a platform admin has already appointed them.
  if (!known!.is_agency) await requireReferrals(scope);
  const inserted = await em.execute<unknown[]>(
    `INSERT INTO affiliate_profiles (organization_id, created_at) VALUES (?, ?)
     ON CONFLICT DO NOTHING RETURNING 1`,
    [id, new Date(deps.clock.nowMs()).toISOString()],
  );
  if (inserted.length > 0)
    await audit({
      action: 'affiliate_profile.create',
      subjectType: 'affiliate_profile',
      subjectId: id,
      after: { kycStatus: 'KYC_PENDING' },
      workspaceId: null,
    });
  return { id };
}

async function requireReferrals({ em, viewer }: ActionScope): Promise<void> {
  const active = await activeReferralsOf(em, viewer.organizationId);
  if (active >= UPGRADE_THRESHOLD) return;
  reject('UPGRADE_NOT_ELIGIBLE', {
    message: `Becoming an affiliate requires ${UPGRADE_THRESHOLD} active referrals; the organization has ${active}.`,
  });
}
