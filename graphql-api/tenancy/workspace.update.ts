import { LockMode } from '@mikro-orm/postgresql';
import { workspaceOf } from '../platform/permit.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import type { WorkspaceUpdate } from './workspace.contract.ts';
import { Workspace } from './workspace.entity.ts';

/** Updates the name and the in-app caps of the viewer's workspace. */
export async function workspaceUpdate(
  { em, viewer, audit }: ActionScope,
  input: WorkspaceUpdate,
): Promise<{ readonly id: string }> {
  const { organizationId } = viewer;
  const id = workspaceOf(viewer);
  // Locked, so that `before` in the audit log is the value this change replaces.
  const workspace = await em.findOne(
    Workspace,
    { id, organizationId },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  );
  if (workspace === null) return reject('WORKSPACE_FORBIDDEN');
  const before = settingsOf(workspace);
  if (input.name !== undefined) workspace.name = input.name;
  if (input.inAppDailyMax !== undefined) workspace.inAppDailyMax = input.inAppDailyMax;
  if (input.inAppIntervalSecondsMin !== undefined)
    workspace.inAppIntervalSecondsMin = input.inAppIntervalSecondsMin;
  await em.flush();
  await audit({
    action: 'workspace.update',
    subjectType: 'workspace',
    subjectId: id,
    before,
    after: settingsOf(workspace),
  });
  return { id };
}

function settingsOf({ name, inAppDailyMax, inAppIntervalSecondsMin }: Workspace) {
  return { name, inAppDailyMax, inAppIntervalSecondsMin };
}
