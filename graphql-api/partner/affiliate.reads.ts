import type { EntityManager } from '@mikro-orm/postgresql';
import type { Secrets } from '../../schema/values/sealing.ts';
import type { Context } from '../platform/context.ts';
import { readAcrossTenants } from '../platform/database/across-tenants.ts';
import { kysely, type RowOf } from '../platform/database/kysely.ts';
import { reject } from '../platform/rejected.ts';
import { secretsOf } from '../platform/secrets.ts';
import { AffiliateProfile } from './affiliate.entity.ts';
import { PartnerProfile } from './partner-profile.entity.ts';

/**
 * An affiliate profile with the details of the current submission, which are undefined before the
 * first one. Secret values are masked for every viewer.
 */
export type AffiliateView = Partial<Omit<RowOf<'kyc_submissions'>, 'createdAt'>> & {
  readonly partnerStatus: PartnerProfile['partnerStatus'];
  readonly kycStatus: AffiliateProfile['kycStatus'];
  /** Not masked: the GSTIN is in a public register, and the contract returns it. Decrypted on each call. */
  readonly gstNumber: () => Promise<string | null>;
  readonly kycSubmittedAt: Date | undefined;
  /** Undefined unless the KYC is approved. */
  readonly kycApprovedAt: Date | null | undefined;
  readonly createdAt: Date;
};

/** Runs a query with the access that the profile is read with. */
type Read = <T>(query: (em: EntityManager) => Promise<T>) => Promise<T>;

/** The viewer's own profile; undefined before the upgrade. */
export function affiliateProfile(context: Context): Promise<AffiliateView | undefined> {
  const { organizationId } = context.viewer ?? reject('UNAUTHENTICATED');
  const read: Read = async query => query(await context.read());
  return readAffiliate(read, secretsOf(context.deps), organizationId);
}

/** The profile of any organization, for platform admins. */
export function affiliateProfileOf(
  context: Context,
  organizationId: string,
): Promise<AffiliateView | undefined> {
  const read: Read = query => readAcrossTenants(context, query);
  return readAffiliate(read, secretsOf(context.deps), organizationId);
}

function readAffiliate(
  read: Read,
  secrets: Secrets,
  organizationId: string,
): Promise<AffiliateView | undefined> {
  return read(async em => {
    const profile = await em.findOne(AffiliateProfile, { organizationId });
    if (profile === null) return undefined;
    const partner = await em.findOne(PartnerProfile, { organizationId });
    const submission = await kysely(em)
      .selectFrom('kyc_submissions')
      .selectAll()
      .where('organizationId', '=', organizationId)
      .where('status', '<>', 'SUPERSEDED')
      .executeTakeFirst();
    const { kycStatus, createdAt } = profile;
    return {
      ...submission,
      partnerStatus: partner?.partnerStatus ?? 'USER',
      kycStatus,
      gstNumber: async () =>
        submission?.hasGst ? read(later => gstNumberOf(later, secrets, submission.id)) : null,
      kycSubmittedAt: submission?.createdAt,
      kycApprovedAt: kycStatus === 'KYC_APPROVED' ? submission?.reviewedAt : undefined,
      createdAt,
    };
  });
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
