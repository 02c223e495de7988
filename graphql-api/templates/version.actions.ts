// The smaller actions on a version.

import type { ActionScope } from '../platform/run-action.ts';
import { TemplateSubmission } from './approval/submission.entity.ts';
import type { TemplateId, TemplateVersionRestore } from './template.contract.ts';
import { nextState } from './transitions.ts';
import { addVersion } from './version.add.ts';
import { lockVersion, requireLive } from './version.lock.ts';
import { moveVersion, refuseState, templateScope } from './version.move.ts';
import { requireVersionUnpinned } from './version.require-unpinned.ts';
import { contentOf, draftContent } from './version-content.ts';

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

/** Archives a Draft or a Rejected version. It stays in the history. */
export async function templateVersionDiscard(
  scope: ActionScope,
  { id }: TemplateId,
): Promise<{ readonly id: string }> {
  const { version } = await lockVersion(scope, id);
  if (nextState(version.state, 'discard') === undefined) refuseState(version, 'discard');
  await requireVersionUnpinned(scope, id);
  version.archivedAt = new Date(scope.deps.clock.nowMs());
  await moveVersion(templateScope(scope), version, 'discard');
  return { id };
}

/** Creates a Draft with the content of an earlier version in any state. */
export async function templateVersionRestore(
  scope: ActionScope,
  { id, note }: TemplateVersionRestore,
): Promise<{ readonly id: string }> {
  const { template, version } = await lockVersion(scope, id);
  requireLive(template);
  const { channel, language } = version;
  return addVersion(scope, template, {
    channel,
    language,
    content: draftContent(channel, {}, contentOf(version)),
    changeSource: 'RESTORED',
    restoredFromId: id,
    basedOnId: id,
    note,
  });
}
