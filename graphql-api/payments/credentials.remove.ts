import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { auditedCredentials, lockGatewayCredentials } from './credentials.lock.ts';

/** The workspace is managed from now on; what its account still tells is refused. */
export async function gatewayCredentialsRemove(
  scope: ActionScope,
): Promise<{ readonly workspaceId: string }> {
  const { em, audit } = scope;
  const { workspaceId, credentials } = await lockGatewayCredentials(scope);
  if (credentials === undefined)
    reject('NOT_FOUND', { message: 'The workspace has no credentials.' });
  // By hand, so that ingest is told by the trigger also where the rows go in a cascade.
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
