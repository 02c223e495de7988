import { reject } from '../../platform/rejected.ts';
import type { ActionScope } from '../../platform/run-action.ts';
import type { TemplateReviewApprove, TemplateReviewReject } from './approval.contract.ts';
import { decideSubmission } from './decide-submission.ts';
import { submissionById } from './submission.reads.ts';

type Reviewed = { readonly id: string };

/** The verdict of a platform admin on an email. Has the effect of any other verdict. */
export async function templateReviewApprove(
  scope: ActionScope,
  { submissionId }: TemplateReviewApprove,
): Promise<Reviewed> {
  return review(scope, submissionId, { verdict: 'APPROVED' });
}

export async function templateReviewReject(
  scope: ActionScope,
  { submissionId, reason }: TemplateReviewReject,
): Promise<Reviewed> {
  return review(scope, submissionId, { verdict: 'REJECTED', reason });
}

async function review(
  { em, deps, viewer, requestId }: ActionScope,
  id: string,
  verdict: { readonly verdict: 'APPROVED' | 'REJECTED'; readonly reason?: string },
): Promise<Reviewed> {
  const field = ['submissionId'];
  const submission = await submissionById(em, id);
  if (submission === undefined || submission.channel !== 'email')
    return reject('NOT_FOUND', { field, message: 'No email submission exists with this ID.' });
  const { ignoredBecause } = await decideSubmission(
    { em, deps, requestId },
    submission,
    verdict,
    viewer.userId,
  );
  if (ignoredBecause !== null) reject('TEMPLATE_SUBMISSION_DECIDED', { field });
  return { id };
}
