import type { ActionScope } from '../platform/run-action.ts';
import { TemplateSubmission } from './approval/submission.entity.ts';
import type { TemplateId } from './template.contract.ts';
import { lockVersion } from './version.lock.ts';
import { moveVersion, templateScope } from './version.move.ts';

/** Cancels a submission. The version is a Draft again, and a later verdict is ignored. */
export async function templateVersionCancel(
  scope: ActionScope,
  { id }: TemplateId,
): Promise<{ readonly id: string }> {
  const { em, deps } = scope;
  const { version } = await lockVersion(scope, id);
  await moveVersion(templateScope(scope), version, 'cancel', {
    submissionId: version.submissionId,
  });
  const decidedAt = new Date(deps.clock.nowMs());
  const pending = { versionId: id, state: 'PENDING' } as const;
  await em.nativeUpdate(TemplateSubmission, pending, { state: 'CANCELED', decidedAt });
  return { id };
}
