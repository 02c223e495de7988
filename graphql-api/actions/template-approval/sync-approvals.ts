import { permitted, workspaceOf } from '../../access/permit.ts';
import { approversOf } from '../../approval/approvers.ts';
import type { Context } from '../../context.ts';
import { reject } from '../../rejected.ts';
import { recordChange } from '../audit.ts';
import { pollApprovals } from './poll-approvals.ts';
import { submitWaiting } from './submit-waiting.ts';

export type Synced = { readonly changed: number; readonly faults: readonly string[] };

/** A whole listing each time: nobody needs it twice within this. */
const INTERVAL_SECONDS = 10;

/** "Sync now": what waits is sent, and the approvers are asked how the workspace's submissions stand.
 * Several transactions, with calls between them; a repeat of it does no harm. */
export async function templateApprovalSync(context: Context): Promise<Synced> {
  const viewer = permitted(context.viewer, 'member');
  const workspaceId = workspaceOf(viewer);
  await context.endRead();
  const { deps, requestId } = context;
  await deps.database.asSystem(async em => {
    await requirePatience(em, workspaceId, deps.clock.nowMs());
    await recordChange(
      { em, viewer, deps, requestId },
      {
        action: 'template_approval.sync',
        subjectType: 'workspace',
        subjectId: workspaceId,
        after: { channels: [...approversOf(deps).keys()] },
      },
    );
  });
  await submitWaiting(deps);
  return pollApprovals(deps, { source: 'SYNC', workspaceId });
}

type Em = Parameters<Parameters<Context['deps']['database']['asSystem']>[0]>[0];

async function requirePatience(em: Em, workspaceId: string, nowMs: number): Promise<void> {
  const since = new Date(nowMs - INTERVAL_SECONDS * 1_000).toISOString();
  const [recent] = await em.execute<unknown[]>(
    'SELECT 1 FROM approval_syncs WHERE workspace_id = ? AND last_attempt_at > ?',
    [workspaceId, since],
  );
  if (recent !== undefined)
    reject('TEMPLATE_SYNC_TOO_SOON', { facts: { retryAfterSeconds: INTERVAL_SECONDS } });
}
