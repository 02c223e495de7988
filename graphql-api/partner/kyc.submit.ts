import type { Secrets } from '../../schema/values/sealing.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { secretsOf } from '../platform/secrets.ts';
import { maskedBankAccount, maskedPan } from './indian-ids.ts';
import type { KycSubmit } from './kyc.contract.ts';

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
  await em.execute(
    `INSERT INTO kyc_submissions (id, organization_id, entity_type, full_name, pan_name, pan_masked,
       has_gst, bank_ifsc, bank_account_holder_name, bank_account_masked, created_by, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      id,
      organizationId,
      input.entityType,
      input.fullName,
      input.panName ?? null,
      panMasked,
      input.gstNumber != null,
      input.bankIfsc,
      input.bankAccountHolderName,
      bankAccountMasked,
      viewer.userId,
      new Date(deps.clock.nowMs()).toISOString(),
    ],
  );
  await insertSecrets(scope, id, {
    pan_number: input.panNumber,
    gst_number: input.gstNumber,
    bank_account_number: input.bankAccountNumber,
  });
  await em.execute(
    `UPDATE affiliate_profiles
     SET kyc_status = 'KYC_PENDING', has_pan_verified = false, has_gst = false
     WHERE organization_id = ?`,
    [organizationId],
  );
  await audit({
    action: 'kyc_submission.create',
    subjectType: 'kyc_submission',
    subjectId: id,
    before: { kycStatus: before },
    after: { kycStatus: 'KYC_PENDING', entityType: input.entityType, panMasked, bankAccountMasked },
    workspaceId: null,
  });
  return { id };
}

/** A concurrent submission waits here and then supersedes the first one. */
async function lockProfile({ em, viewer }: ActionScope): Promise<string> {
  const [profile] = await em.execute<{ kyc_status: string }[]>(
    'SELECT kyc_status FROM affiliate_profiles WHERE organization_id = ? FOR UPDATE',
    [viewer.organizationId],
  );
  return profile?.kyc_status ?? reject('AFFILIATE_PROFILE_REQUIRED');
}

/**
 * Marks the previous submission as superseded and deletes its secrets, which are no longer needed.
 */
async function supersede({ em, viewer }: ActionScope): Promise<void> {
  await em.execute('DELETE FROM kyc_secrets WHERE organization_id = ?', [viewer.organizationId]);
  await em.execute(
    `UPDATE kyc_submissions SET status = 'SUPERSEDED'
     WHERE organization_id = ? AND status <> 'SUPERSEDED'`,
    [viewer.organizationId],
  );
}

type SecretFields = Readonly<Record<string, string | null | undefined>>;

async function insertSecrets(
  { em, viewer, deps }: ActionScope,
  submissionId: string,
  fields: SecretFields,
): Promise<void> {
  const secrets: Secrets = secretsOf(deps);
  for (const [field, text] of Object.entries(fields)) {
    if (text == null) continue;
    const place = { table: 'kyc_secrets', rowId: submissionId, field };
    const { keyId, sealed } = secrets.seal(place, text);
    await em.execute(
      `INSERT INTO kyc_secrets (submission_id, organization_id, field, key_id, sealed, blind_index)
       VALUES (?, ?, ?, ?, ?, ?)`,
      [submissionId, viewer.organizationId, field, keyId, sealed, secrets.blindIndex(field, text)],
    );
  }
}
