import type { EntityManager } from '@mikro-orm/postgresql';
import type { Secrets } from '../../schema/values/sealing.ts';
import type { Context } from '../platform/context.ts';
import { readAcrossTenants } from '../platform/database/across-tenants.ts';
import { reject } from '../platform/rejected.ts';
import { secretsOf } from '../platform/secrets.ts';
import type { AffiliateProfile } from './affiliate.entity.ts';
import { KycSubmission } from './kyc.entity.ts';
import { PartnerProfile } from './partner-profile.entity.ts';

/** An affiliate profile. Secret values are masked for every viewer. */
export type AffiliateView = {
  readonly organizationId: string;
  readonly partnerStatus: PartnerProfile['partnerStatus'];
  readonly kycStatus: AffiliateProfile['kycStatus'];
  /** The current submission; undefined before the first one. */
  readonly submission: KycSubmission | undefined;
  /** Not masked: the GSTIN is in a public register, and the contract returns it. */
  readonly gstNumber: string | null;
  readonly createdAt: Date;
};

/** The viewer's own profile; undefined before the upgrade. */
export async function affiliateProfile(context: Context): Promise<AffiliateView | undefined> {
  const { organizationId } = context.viewer ?? reject('UNAUTHENTICATED');
  return readAffiliate(await context.read(), secretsOf(context.deps), organizationId);
}

/** The profile of any organization, for platform admins. */
export function affiliateProfileOf(
  context: Context,
  organizationId: string,
): Promise<AffiliateView | undefined> {
  const secrets = secretsOf(context.deps);
  return readAcrossTenants(context, em => readAffiliate(em, secrets, organizationId));
}

async function readAffiliate(
  em: EntityManager,
  secrets: Secrets,
  organizationId: string,
): Promise<AffiliateView | undefined> {
  const [profile] = await em.execute<
    { kyc_status: AffiliateProfile['kycStatus']; created_at: string }[]
  >('SELECT kyc_status, created_at FROM affiliate_profiles WHERE organization_id = ?', [
    organizationId,
  ]);
  if (profile === undefined) return undefined;
  const partner = await em.findOne(PartnerProfile, { organizationId });
  const submission = await em.findOne(KycSubmission, {
    organizationId,
    status: { $ne: 'SUPERSEDED' },
  });
  return {
    organizationId,
    partnerStatus: partner?.partnerStatus ?? 'USER',
    kycStatus: profile.kyc_status,
    submission: submission ?? undefined,
    gstNumber: submission?.hasGst ? await gstNumberOf(em, secrets, submission.id) : null,
    createdAt: new Date(profile.created_at),
  };
}

async function gstNumberOf(
  em: EntityManager,
  secrets: Secrets,
  submissionId: string,
): Promise<string | null> {
  const field = 'gst_number';
  const [row] = await em.execute<{ key_id: string; sealed: string }[]>(
    'SELECT key_id, sealed FROM kyc_secrets WHERE submission_id = ? AND field = ?',
    [submissionId, field],
  );
  if (row === undefined) return null;
  const place = { table: 'kyc_secrets', rowId: submissionId, field };
  return secrets.open(place, { keyId: row.key_id, sealed: row.sealed });
}
