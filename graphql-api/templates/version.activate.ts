import type { ActionScope } from '../platform/run-action.ts';
import type { TemplateId } from './template.contract.ts';
import { nextState, SENDABLE_STATES } from './transitions.ts';
import { TemplateVersion } from './version.entity.ts';
import { lockVersion } from './version.lock.ts';
import { moveVersion, refuseState, type TemplateScope, templateScope } from './version.move.ts';

/**
 * Makes a version Active for new enrolments. If a later version was approved, this one is pinned
 * as Active, so that later approvals do not replace it. Activating the newest version removes the
 * pin. No effect if the version is already Active.
 */
export async function templateVersionActivate(
  scope: ActionScope,
  { id }: TemplateId,
): Promise<{ readonly id: string }> {
  const { version } = await lockVersion(scope, id);
  if (version.state === 'Active') return { id };
  if (nextState(version.state, 'activate') === undefined) refuseState(version, 'activate');
  await makeActive(templateScope(scope), version, { isPinned: !(await isNewest(scope, version)) });
  return { id };
}

/**
 * Supersedes the currently Active version in the same transaction. Requires the template's lock.
 */
export async function makeActive(
  scope: TemplateScope,
  version: TemplateVersion,
  { isPinned }: { readonly isPinned: boolean },
): Promise<void> {
  const { em, deps } = scope;
  const now = new Date(deps.clock.nowMs());
  const earlier = await findActive(scope, version);
  if (earlier !== null) {
    earlier.supersededAt = now;
    earlier.isPinned = false;
    await moveVersion(scope, earlier, 'supersede', { by: version.id });
  }
  version.activatedAt = now;
  version.isPinned = isPinned;
  const facts = isPinned ? { isPinned } : {};
  await moveVersion(scope, version, 'activate', facts);
  await em.flush();
  await deps.pinning.requestPinCheck(em, deps.newId(), version);
}

/** The Active version of the same template, channel and language. */
export function findActive(
  { em }: Pick<TemplateScope, 'em'>,
  { templateId, channel, language }: TemplateVersion,
): Promise<TemplateVersion | null> {
  const where = { templateId, channel, language, state: 'Active' } as const;
  return em.findOne(TemplateVersion, where, { refresh: true });
}

/** Whether no version of the same channel and language was approved later. */
async function isNewest({ em }: ActionScope, version: TemplateVersion): Promise<boolean> {
  const { templateId, channel, language } = version;
  const state = { $in: [...SENDABLE_STATES] };
  const newest = await em.findOne(
    TemplateVersion,
    { templateId, channel, language, state },
    { orderBy: { approvedAt: 'desc', number: 'desc' } },
  );
  return newest?.id === version.id;
}
