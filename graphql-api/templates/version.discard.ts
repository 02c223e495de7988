import type { ActionScope } from '../platform/run-action.ts';
import type { TemplateId } from './template.contract.ts';
import { nextState } from './transitions.ts';
import { lockVersion } from './version.lock.ts';
import { moveVersion, refuseState, templateScope } from './version.move.ts';
import { requireVersionUnpinned } from './version.require-unpinned.ts';

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
