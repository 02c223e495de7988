// KYC reviews by platform admins; all submissions of a request are changed or none. A review names
// submissions, so an admin cannot approve details that were submitted after the admin opened the review.

import { kysely, type RowOf } from '../platform/database/kysely.ts';
import { Rejected, type Rejection, reject, rejection } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { AffiliateProfile } from './affiliate.entity.ts';
import type { KycApprove, KycReject } from './kyc.contract.ts';
import { KycSubmission } from './kyc.entity.ts';

export type Reviewed = { readonly ids: readonly string[] };

/** Makes a USER an AFFILIATE; an agency stays an agency. Idempotent. */
export async function kycApprove(scope: ActionScope, { ids }: KycApprove): Promise<Reviewed> {
  const submissions = await lockSubmissions(scope, ids, {
    from: ['KYC_PENDING', 'KYC_APPROVED'],
    to: 'approved',
  });
  for (const submission of submissions)
    if (submission.status !== 'KYC_APPROVED') await review(scope, submission, null);
  return { ids };
}

/** Records what the affiliate has to correct. Approved submissions can also be rejected. */
export async function kycReject(scope: ActionScope, { ids, reason }: KycReject): Promise<Reviewed> {
  const submissions = await lockSubmissions(scope, ids, {
    from: ['KYC_PENDING', 'KYC_APPROVED', 'KYC_REJECTED'],
    to: 'rejected',
  });
  for (const submission of submissions)
    if (submission.status !== 'KYC_REJECTED' || submission.rejectionReason !== reason)
      await review(scope, submission, reason);
  return { ids };
}

/** Approves the current submission of an organization. */
export async function kycApproveOf(
  scope: ActionScope,
  { organizationId }: { readonly organizationId: string },
): Promise<Reviewed> {
  const [profile] = await kysely(scope.em)
    .selectFrom('affiliate_profiles as profile')
    .leftJoin('kyc_submissions as submission', join =>
      join
        .onRef('submission.organizationId', '=', 'profile.organizationId')
        .on('submission.status', '<>', 'SUPERSEDED'),
    )
    .select('submission.id as submissionId')
    .where('profile.organizationId', '=', organizationId)
    .execute();
  if (profile === undefined)
    return reject('NOT_FOUND', { message: 'No affiliate profile exists for this organization.' });
  if (profile.submissionId === null)
    return reject('KYC_STATUS', { message: 'The KYC details have not been submitted yet.' });
  return kycApprove(scope, { ids: [profile.submissionId] });
}

type Submission = RowOf<'kyc_submissions'>;
type Step = { readonly from: readonly Submission['status'][]; readonly to: string };

/** Locks the profiles first and in order, as `kycSubmit` does, to prevent deadlocks. */
async function lockSubmissions(
  { em }: ActionScope,
  ids: readonly string[],
  { from, to }: Step,
): Promise<readonly Submission[]> {
  const submissions = kysely(em).selectFrom('kyc_submissions').where('id', 'in', ids);
  await kysely(em)
    .selectFrom('affiliate_profiles')
    .select('organizationId')
    .where('organizationId', 'in', submissions.select('organizationId'))
    .orderBy('organizationId')
    .forUpdate()
    .execute();
  const rows = await submissions.selectAll().orderBy('organizationId').execute();
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

/** Approves a submission, or rejects it for a reason. */
async function review(
  { em, viewer, deps, audit }: ActionScope,
  { id, organizationId, status, panMasked, hasGst }: Submission,
  rejectionReason: string | null,
): Promise<void> {
  const isApproved = rejectionReason === null;
  const kycStatus = isApproved ? 'KYC_APPROVED' : 'KYC_REJECTED';
  const now = new Date(deps.clock.nowMs());
  await em.nativeUpdate(
    KycSubmission,
    { id },
    { status: kycStatus, rejectionReason, reviewedAt: now, reviewedBy: viewer.userId },
  );
  await em.nativeUpdate(
    AffiliateProfile,
    { organizationId },
    {
      kycStatus,
      hasPanVerified: isApproved && panMasked !== null,
      hasGst: isApproved && hasGst,
    },
  );
  if (isApproved)
    await kysely(em)
      .insertInto('partner_profiles')
      .values({ organizationId, partnerStatus: 'AFFILIATE', createdAt: now })
      .onConflict(existing =>
        existing
          .column('organizationId')
          .doUpdateSet({ partnerStatus: 'AFFILIATE' })
          .where('partner_profiles.partnerStatus', '=', 'USER'),
      )
      .execute();
  await audit({
    action: isApproved ? 'kyc_submission.approve' : 'kyc_submission.reject',
    subjectId: id,
    organizationId,
    workspaceId: null,
    before: { kycStatus: status },
    after: { kycStatus, ...(!isApproved && { reason: rejectionReason }) },
  });
}
