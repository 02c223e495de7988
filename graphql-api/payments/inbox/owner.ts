import { PLATFORM_ACCOUNT_ID } from '../../../schema/gateway/account.ts';
import type { ApplyScope } from './apply-scope.ts';

/** The owner of a gateway object: a workspace, or the platform's own billing. */
export type Owner = {
  readonly workspaceId: string | null;
  readonly payerOrganizationId: string | null;
};

/**
 * The owner that we stored when we created the object takes precedence. For an unknown object in a
 * workspace's own merchant account, that workspace is the owner. For one in the platform's account,
 * the echoed workspace is the owner, because only the platform could have sent it. An unknown
 * object is never the platform's billing.
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
