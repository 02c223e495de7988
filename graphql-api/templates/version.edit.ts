import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import type { TemplateVersionEdit } from './template.contract.ts';
import { requireForce } from './version.create.ts';
import { lockVersion, requireRevision } from './version.lock.ts';
import { requireVersionUnpinned } from './version.require-unpinned.ts';
import { changedFields, contentOf, draftContent } from './version-content.ts';

/** Updates a Draft in place. An edit without changes does not increase the revision. */
export async function templateVersionEdit(
  scope: ActionScope,
  { id, expectedRevision, forceRollout, note, ...given }: TemplateVersionEdit,
): Promise<{ readonly id: string }> {
  const { em, deps, audit } = scope;
  const { version } = await lockVersion(scope, id);
  if (version.state !== 'Draft')
    reject('TEMPLATE_VERSION_STATE', {
      field: ['id'],
      message: `The version is ${version.state}. Only a Draft can be edited; create a new version instead.`,
      facts: { state: version.state },
    });
  requireRevision(version, expectedRevision);
  if (forceRollout !== version.forceRollout) requireForce(scope, forceRollout);
  const before = contentOf(version);
  const content = draftContent(version.channel, given, before);
  const changedContent = changedFields(before, content);
  if (changedContent.length > 0) await requireVersionUnpinned(scope, id);
  const options = {
    forceRollout: forceRollout ?? version.forceRollout,
    note: note ?? version.note,
  };
  const changedOptions = (['forceRollout', 'note'] as const).filter(
    name => options[name] !== version[name],
  );
  const changed = [...changedContent, ...changedOptions];
  if (changed.length === 0) return { id };
  const updatedAt = new Date(deps.clock.nowMs());
  Object.assign(version, content, options, { updatedAt });
  version.revision += 1;
  await em.flush();
  await audit({
    action: 'template_version.edit',
    subjectId: id,
    before: { revision: expectedRevision },
    after: { revision: version.revision, changed },
  });
  return { id };
}
