import { nextState } from '../../../schema/rules/templates/transitions.ts';
import type { TemplateId } from '../../../schema/wire/template.ts';
import type { ActionScope } from '../run-action.ts';
import { lockVersion } from './lock-version.ts';
import { moveVersion, refuseState, templateScope } from './move-version.ts';
import { requireVersionUnpinned } from './require-unpinned.ts';

/** A Draft or a Rejected version that leads nowhere; it stays in the history. */
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
