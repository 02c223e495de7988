import { kysely } from '../platform/database/kysely.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { secretsOf } from '../platform/secrets.ts';
import { AffiliateProfile } from './affiliate.entity.ts';
import type { KycSubmit } from './kyc.contract.ts';
import { KycSubmission } from './kyc.entity.ts';
import { maskedBankAccount, maskedPan } from './kyc.mask.ts';

/**
 * Submits new KYC details for the viewer's organization. They supersede all previous details and
 * their review.
 */
export async function kycSubmit(
  scope: ActionScope,
  input: KycSubmit,
): Promise<{ readonly id: string }> {
  const { em, viewer, deps, audit } = scope;
  const organizationId = viewer.organizationId;
  const before = await lockProfile(scope);
  await supersede(scope);
  const id = deps.newId();
  const panMasked = input.panNumber == null ? null : maskedPan(input.panNumber);
  const bankAccountMasked = maskedBankAccount(input.bankAccountNumber);
  await em.insert(KycSubmission, {
    id,
    organizationId,
    entityType: input.entityType,
    fullName: input.fullName,
    panName: input.panName ?? null,
    panMasked,
    hasGst: input.gstNumber != null,
    bankIfsc: input.bankIfsc,
    bankAccountHolderName: input.bankAccountHolderName,
    bankAccountMasked,
    createdBy: viewer.userId,
    createdAt: new Date(deps.clock.nowMs()),
  });
  await insertSecrets(scope, id, {
    pan_number: input.panNumber,
    gst_number: input.gstNumber,
    bank_account_number: input.bankAccountNumber,
  });
  const pending = { kycStatus: 'KYC_PENDING', hasPanVerified: false, hasGst: false } as const;
  await em.nativeUpdate(AffiliateProfile, { organizationId }, pending);
  await audit({
    action: 'kyc_submission.create',
    subjectId: id,
    before: { kycStatus: before },
    after: { kycStatus: 'KYC_PENDING', entityType: input.entityType, panMasked, bankAccountMasked },
    workspaceId: null,
  });
  return { id };
}

/** A concurrent submission waits here and then supersedes the first one. */
async function lockProfile({ em, viewer }: ActionScope): Promise<string> {
  const profile = await kysely(em)
    .selectFrom('affiliate_profiles')
    .select('kycStatus')
    .where('organizationId', '=', viewer.organizationId)
    .forUpdate()
    .executeTakeFirst();
  return profile?.kycStatus ?? reject('AFFILIATE_PROFILE_REQUIRED');
}

/**
 * Marks the previous submission as superseded and deletes its secrets, which are no longer needed.
 */
async function supersede({ em, viewer: { organizationId } }: ActionScope): Promise<void> {
  await kysely(em).deleteFrom('kyc_secrets').where('organizationId', '=', organizationId).execute();
  await em.nativeUpdate(
    KycSubmission,
    { organizationId, status: { $ne: 'SUPERSEDED' } },
    { status: 'SUPERSEDED' },
  );
}

type SecretFields = Readonly<Record<string, string | null | undefined>>;

async function insertSecrets(
  { em, viewer, deps }: ActionScope,
  submissionId: string,
  fields: SecretFields,
): Promise<void> {
  const secrets = secretsOf(deps);
  for (const [field, text] of Object.entries(fields)) {
    if (text == null) continue;
    const place = { table: 'kyc_secrets', rowId: submissionId, field };
    await kysely(em)
      .insertInto('kyc_secrets')
      .values({
        submissionId,
        organizationId: viewer.organizationId,
        field,
        ...secrets.seal(place, text),
        blindIndex: secrets.blindIndex(field, text),
      })
      .execute();
  }
}
