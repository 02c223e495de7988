import { PLATFORM_ACCOUNT_ID } from '../../../schema/gateway/account.ts';
import type { ApplyScope } from './apply-scope.ts';

/** For whom something at the gateway was made: a workspace, or the platform's own billing. */
export type Owner = {
  readonly workspaceId: string | null;
  readonly payerOrganizationId: string | null;
};

/**
 * What we stored when we made it decides. Where we know nothing of it: all of a workspace's own merchant
 * account is the workspace's; in the platform's, what the gateway echoes was sent by the platform.
 * Such a thing is never the platform's billing: only what we stored as such is.
 */
export async function ownerOf(
  scope: ApplyScope,
  stored: Owner | undefined,
): Promise<Owner | undefined> {
  if (stored !== undefined) return stored;
  const { em, accountId, echoedWorkspaceId } = scope;
  const workspaceId = accountId === PLATFORM_ACCOUNT_ID ? echoedWorkspaceId : accountId;
  if (workspaceId === undefined) return undefined;
  const found = await em.execute<unknown[]>('SELECT 1 FROM workspaces WHERE id = ?', [workspaceId]);
  return found.length === 0 ? undefined : { workspaceId, payerOrganizationId: null };
}
