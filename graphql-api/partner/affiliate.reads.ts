import type { EntityManager } from '@mikro-orm/postgresql';
import type { Secrets } from '../../schema/values/sealing.ts';
import type { Context } from '../platform/context.ts';
import { readAcrossTenants } from '../platform/database/across-tenants.ts';
import { kysely } from '../platform/database/kysely.ts';
import { reject } from '../platform/rejected.ts';
import { secretsOf } from '../platform/secrets.ts';
import { AffiliateProfile } from './affiliate.entity.ts';
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
  const profile = await em.findOne(AffiliateProfile, { organizationId });
  if (profile === null) return undefined;
  const partner = await em.findOne(PartnerProfile, { organizationId });
  const current = { organizationId, status: { $ne: 'SUPERSEDED' } } as const;
  const submission = (await em.findOne(KycSubmission, current)) ?? undefined;
  return {
    organizationId,
    partnerStatus: partner?.partnerStatus ?? 'USER',
    kycStatus: profile.kycStatus,
    submission,
    gstNumber: submission?.hasGst ? await gstNumberOf(em, secrets, submission.id) : null,
    createdAt: profile.createdAt,
  };
}

async function gstNumberOf(
  em: EntityManager,
  secrets: Secrets,
  submissionId: string,
): Promise<string | null> {
  const field = 'gst_number';
  const row = await kysely(em)
    .selectFrom('kyc_secrets')
    .select(['keyId', 'sealed'])
    .where('submissionId', '=', submissionId)
    .where('field', '=', field)
    .executeTakeFirst();
  return row ? secrets.open({ table: 'kyc_secrets', rowId: submissionId, field }, row) : null;
}
