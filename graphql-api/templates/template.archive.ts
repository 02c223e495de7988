import type { ActionScope } from '../platform/run-action.ts';
import { TemplateSubmission } from './approval/submission.entity.ts';
import type { TemplateId } from './template.contract.ts';
import { TemplateVersion } from './version.entity.ts';
import { lockTemplate } from './version.lock.ts';
import { moveVersion, templateScope } from './version.move.ts';
import { requireUnpinned } from './version.require-unpinned.ts';

/** Deletes a template: it and all its versions are kept as Archived. One that is deleted stays so. */
export async function templateArchive(
  scope: ActionScope,
  { id }: TemplateId,
): Promise<{ readonly id: string }> {
  const { em, deps, audit } = scope;
  // Held until the end: nobody is pinned to a version of it meanwhile.
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
    subjectType: 'template',
    subjectId: id,
    before: { archivedAt: null },
    after: { archivedAt: now.toISOString(), versions: versions.length },
  });
  return { id };
}
