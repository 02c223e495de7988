// KYC reviews by platform admins; all submissions of a request are changed or none. A review names
// submissions, so an admin cannot approve details that were submitted after they looked.

import { Rejected, type Rejection, reject, rejection } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import type { KycApprove, KycReject } from './kyc-review.contract.ts';

export type Reviewed = { readonly ids: readonly string[] };

/** Makes a USER an AFFILIATE; an agency stays an agency. Idempotent. */
export async function kycApprove(scope: ActionScope, { ids }: KycApprove): Promise<Reviewed> {
  const submissions = await lockSubmissions(scope, ids, {
    from: ['KYC_PENDING', 'KYC_APPROVED'],
    to: 'approved',
  });
  for (const submission of submissions)
    if (submission.status !== 'KYC_APPROVED') await approve(scope, submission);
  return { ids };
}

/** Records what the affiliate has to correct. Approved submissions can also be rejected. */
export async function kycReject(scope: ActionScope, { ids, reason }: KycReject): Promise<Reviewed> {
  const submissions = await lockSubmissions(scope, ids, {
    from: ['KYC_PENDING', 'KYC_APPROVED', 'KYC_REJECTED'],
    to: 'rejected',
  });
  for (const submission of submissions)
    if (submission.status !== 'KYC_REJECTED' || submission.rejection_reason !== reason)
      await rejectOne(scope, submission, reason);
  return { ids };
}

/** Approves the current submission of an organization. */
export async function kycApproveOf(
  scope: ActionScope,
  { organizationId }: { readonly organizationId: string },
): Promise<Reviewed> {
  const [profile] = await scope.em.execute<{ submission_id: string | null }[]>(
    `SELECT submission.id AS submission_id FROM affiliate_profiles profile
     LEFT JOIN kyc_submissions submission ON submission.organization_id = profile.organization_id
       AND submission.status <> 'SUPERSEDED'
     WHERE profile.organization_id = ?`,
    [organizationId],
  );
  if (profile === undefined)
    return reject('NOT_FOUND', { message: 'No affiliate profile exists for this organization.' });
  if (profile.submission_id === null)
    return reject('KYC_STATUS', { message: 'The KYC details have not been submitted yet.' });
  return kycApprove(scope, { ids: [profile.submission_id] });
}

type Submission = {
  readonly id: string;
  readonly organization_id: string;
  readonly status: 'KYC_PENDING' | 'KYC_APPROVED' | 'KYC_REJECTED' | 'SUPERSEDED';
  readonly rejection_reason: string | null;
  readonly has_pan: boolean;
  readonly has_gst: boolean;
};

type Step = { readonly from: readonly Submission['status'][]; readonly to: string };

/** Locks the profiles first and in order, as `kycSubmit` does, to prevent deadlocks. */
async function lockSubmissions(
  { em }: ActionScope,
  ids: readonly string[],
  { from, to }: Step,
): Promise<readonly Submission[]> {
  const list = `{${ids.join()}}`;
  await em.execute(
    `SELECT 1 FROM affiliate_profiles WHERE organization_id IN
       (SELECT organization_id FROM kyc_submissions WHERE id = ANY (?::uuid[]))
     ORDER BY organization_id FOR UPDATE`,
    [list],
  );
  const rows = await em.execute<Submission[]>(
    `SELECT id, organization_id, status, rejection_reason, pan_masked IS NOT NULL AS has_pan, has_gst
     FROM kyc_submissions WHERE id = ANY (?::uuid[]) ORDER BY organization_id`,
    [list],
  );
  const byId = new Map(rows.map(row => [row.id, row]));
  const faults = ids.flatMap((id, index): Rejection[] => {
    const field = ['ids', String(index)];
    const status = byId.get(id)?.status;
    if (status === undefined)
      return [rejection('NOT_FOUND', { field, message: 'No KYC submission exists with this ID.' })];
    if (from.includes(status)) return [];
    const message = `A submission that is ${status} cannot be ${to}.`;
    return [rejection('KYC_STATUS', { field, message })];
  });
  const [first, ...others] = faults;
  if (first !== undefined) throw new Rejected([first, ...others]);
  return rows;
}

async function approve(scope: ActionScope, submission: Submission): Promise<void> {
  const { em } = scope;
  const { organization_id: organizationId, has_pan: hasPan, has_gst: hasGst } = submission;
  await settle(scope, submission, 'KYC_APPROVED', null);
  await em.execute(
    `UPDATE affiliate_profiles
     SET kyc_status = 'KYC_APPROVED', has_pan_verified = ?, has_gst = ? WHERE organization_id = ?`,
    [hasPan, hasGst, organizationId],
  );
  await em.execute(
    `INSERT INTO partner_profiles AS partner (organization_id, partner_status, created_at)
     VALUES (?, 'AFFILIATE', ?)
     ON CONFLICT (organization_id) DO UPDATE SET partner_status = 'AFFILIATE'
     WHERE partner.partner_status = 'USER'`,
    [organizationId, now(scope)],
  );
  await auditReview(scope, submission, { kycStatus: 'KYC_APPROVED' });
}

async function rejectOne(
  scope: ActionScope,
  submission: Submission,
  reason: string,
): Promise<void> {
  await settle(scope, submission, 'KYC_REJECTED', reason);
  await scope.em.execute(
    `UPDATE affiliate_profiles
     SET kyc_status = 'KYC_REJECTED', has_pan_verified = false, has_gst = false
     WHERE organization_id = ?`,
    [submission.organization_id],
  );
  await auditReview(scope, submission, { kycStatus: 'KYC_REJECTED', reason });
}

async function settle(
  scope: ActionScope,
  { id }: Submission,
  status: Submission['status'],
  reason: string | null,
): Promise<void> {
  await scope.em.execute(
    `UPDATE kyc_submissions SET status = ?, rejection_reason = ?, reviewed_at = ?, reviewed_by = ?
     WHERE id = ?`,
    [status, reason, now(scope), scope.viewer.userId, id],
  );
}

async function auditReview(
  { audit }: ActionScope,
  { id, organization_id: organizationId, status }: Submission,
  after: Readonly<Record<string, unknown>>,
): Promise<void> {
  await audit({
    action: after.kycStatus === 'KYC_APPROVED' ? 'kyc_submission.approve' : 'kyc_submission.reject',
    subjectType: 'kyc_submission',
    subjectId: id,
    organizationId,
    workspaceId: null,
    before: { kycStatus: status },
    after,
  });
}

function now({ deps }: ActionScope): string {
  return new Date(deps.clock.nowMs()).toISOString();
}
