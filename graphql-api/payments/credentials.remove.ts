import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { auditedCredentials, lockGatewayCredentials } from './credentials.lock.ts';

/** The workspace becomes managed. Webhooks from its own account are then rejected. */
export async function gatewayCredentialsRemove(
  scope: ActionScope,
): Promise<{ readonly workspaceId: string }> {
  const { em, audit } = scope;
  const { workspaceId, credentials } = await lockGatewayCredentials(scope);
  if (credentials === undefined)
    reject('NOT_FOUND', { message: 'No payment gateway credentials are set for this workspace.' });
  // Delete explicitly, so that the trigger that notifies ingest also runs when the rows are removed
  // by a cascade.
  await em.execute('DELETE FROM gateway_secrets WHERE workspace_id = ?', [workspaceId]);
  await em.execute('DELETE FROM gateway_credentials WHERE workspace_id = ?', [workspaceId]);
  await audit({
    action: 'gateway_credentials.remove',
    subjectType: 'gateway_credentials',
    subjectId: workspaceId,
    before: auditedCredentials(credentials),
  });
  return { workspaceId };
}
