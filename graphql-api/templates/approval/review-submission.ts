import { reject } from '../../platform/rejected.ts';
import type { ActionScope } from '../../platform/run-action.ts';
import type { TemplateReviewApprove, TemplateReviewReject } from './approval.contract.ts';
import { decideSubmission } from './decide-submission.ts';
import { submissionById } from './submission.reads.ts';

/** The verdict of a platform admin on an email. Has the effect of any other verdict. */
export async function templateReviewApprove(scope: ActionScope, input: TemplateReviewApprove) {
  return review(scope, 'APPROVED', input);
}

export async function templateReviewReject(scope: ActionScope, input: TemplateReviewReject) {
  return review(scope, 'REJECTED', input);
}

async function review(
  { em, deps, viewer, requestId }: ActionScope,
  verdict: 'APPROVED' | 'REJECTED',
  {
    submissionId: id,
    reason = null,
  }: { readonly submissionId: string; readonly reason?: string | null },
): Promise<{ readonly id: string }> {
  const field = ['submissionId'];
  const submission = await submissionById(em, id);
  if (submission === undefined || submission.channel !== 'email')
    return reject('NOT_FOUND', { field, message: 'No email submission exists with this ID.' });
  const scope = { em, deps, requestId };
  const given = { verdict, reason };
  const { ignoredBecause } = await decideSubmission(scope, submission, given, viewer.userId);
  if (ignoredBecause !== null) reject('TEMPLATE_SUBMISSION_DECIDED', { field });
  return { id };
}
