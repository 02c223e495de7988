import { requestJob } from '../platform/jobs/request-job.ts';
import { Rejected, rejection } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { deadlinesOf } from './approval/approval-settings.ts';
import { TemplateSubmission } from './approval/submission.entity.ts';
import { submitTemplates } from './approval/submit-templates.job.ts';
import type { Finding } from './lint/finding.ts';
import { lintTemplate } from './lint/lint-template.ts';
import type { TemplateVersionSubmit } from './template.contract.ts';
import { nextState } from './transitions.ts';
import { verdictDueMs } from './verdict-due.ts';
import type { TemplateVersion } from './version.entity.ts';
import { lockVersion, requireRevision } from './version.lock.ts';
import { moveVersion, refuseState, templateScope } from './version.move.ts';
import { contentOf } from './version-content.ts';

/**
 * Submits a Draft to its channel's approver. From now on the content is fixed, and only the
 * verdict on this submission counts. Fails if a finding blocks the submission.
 */
export async function templateVersionSubmit(
  scope: ActionScope,
  { id, expectedRevision }: TemplateVersionSubmit,
): Promise<{ readonly id: string; readonly submissionId: string }> {
  const { em, viewer, deps } = scope;
  const { version } = await lockVersion(scope, id);
  if (nextState(version.state, 'submit') === undefined) refuseState(version, 'submit');
  if (expectedRevision !== undefined) requireRevision(version, expectedRevision);
  requireSubmittable(version);
  const nowMs = deps.clock.nowMs();
  const submissionId = deps.newId();
  const deadlines = await deadlinesOf(em, version.workspaceId);
  await em.insert(TemplateSubmission, {
    id: submissionId,
    workspaceId: version.workspaceId,
    templateId: version.templateId,
    versionId: id,
    channel: version.channel,
    submittedBy: viewer.userId,
    submittedAt: new Date(nowMs),
    slaDueAt: new Date(verdictDueMs(version.channel, nowMs, deadlines)),
  });
  version.submissionId = submissionId;
  version.submittedAt = new Date(nowMs);
  await moveVersion(templateScope(scope), version, 'submit', { submissionId });
  await requestJob(scope, submitTemplates, { dueAt: new Date(nowMs).toISOString() });
  return { id, submissionId };
}

function requireSubmittable(version: TemplateVersion): void {
  const findings = lintTemplate({ ...contentOf(version), channel: version.channel });
  const blocking = findings.filter(({ severity }) => severity === 'block');
  const [first, ...others] = blocking.map(refusalOf);
  if (first !== undefined) throw new Rejected([{ ...first, facts: { findings } }, ...others]);
}

function refusalOf({ path, message }: Finding) {
  const field = ['id'];
  return rejection('TEMPLATE_NOT_SUBMITTABLE', { field, message: `${path}: ${message}` });
}
