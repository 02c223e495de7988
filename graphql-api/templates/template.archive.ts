import type { ActionScope } from '../platform/run-action.ts';
import { TemplateSubmission } from './approval/submission.entity.ts';
import type { TemplateId } from './template.contract.ts';
import { TemplateVersion } from './version.entity.ts';
import { lockTemplate } from './version.lock.ts';
import { moveVersion, templateScope } from './version.move.ts';
import { requireUnpinned } from './version.require-unpinned.ts';

/** Archives a template and all its versions. Idempotent. */
export async function templateArchive(
  scope: ActionScope,
  { id }: TemplateId,
): Promise<{ readonly id: string }> {
  const { em, deps, audit } = scope;
  // The lock is held until the end, so that no enrolment is pinned to its versions meanwhile.
  const template = await lockTemplate(scope, id);
  if (template.archivedAt != null) return { id };
  await requireUnpinned(scope, id);
  const now = new Date(deps.clock.nowMs());
  const versions = await em.find(TemplateVersion, { templateId: id, state: { $ne: 'Archived' } });
  for (const version of versions) {
    version.archivedAt = now;
    version.isPinned = false;
    await moveVersion(templateScope(scope), version, 'archive');
  }
  await em.nativeUpdate(
    TemplateSubmission,
    { templateId: id, state: 'PENDING' },
    { state: 'CANCELED', decidedAt: now },
  );
  template.archivedAt = now;
  template.updatedAt = now;
  template.version += 1;
  await em.flush();
  await audit({
    action: 'template.archive',
    subjectId: id,
    before: { archivedAt: null },
    after: { archivedAt: now.toISOString(), versions: versions.length },
  });
  return { id };
}
