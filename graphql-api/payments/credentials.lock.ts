import type { GatewaySecretField } from '../../schema/gateway/secret-place.ts';
import { oneAtATime } from '../platform/one-at-a-time.ts';
import { workspaceOf } from '../platform/permit.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { GatewayCredentials } from './credentials.entity.ts';
import { credentialsWarnings } from './credentials.reads.ts';

export type LockedCredentials = {
  readonly workspaceId: string;
  /** Undefined if the workspace has none. */
  readonly credentials: GatewayCredentials | undefined;
};

/**
 * Locks the credentials of the viewer's workspace. The advisory lock also serializes requests that
 * set the first ones.
 */
export async function lockGatewayCredentials(scope: ActionScope): Promise<LockedCredentials> {
  const workspaceId = workspaceOf(scope.viewer);
  await oneAtATime(scope, `gateway_credentials of ${workspaceId}`);
  const credentials = await scope.em.findOne(GatewayCredentials, { workspaceId });
  return { workspaceId, credentials: credentials ?? undefined };
}

/** Logs the warnings, because nobody may open the dashboard before payments are missed. */
export async function warnOfSecrets(
  { em, deps }: ActionScope,
  workspaceId: string,
  onboarding: GatewayCredentials['mode'],
): Promise<void> {
  const rows = await em.execute<{ field: GatewaySecretField }[]>(
    `SELECT field FROM gateway_secrets WHERE workspace_id = ? AND generation = 'CURRENT'`,
    [workspaceId],
  );
  const fields = rows.map(({ field }) => field);
  for (const { code, message } of credentialsWarnings(onboarding, fields))
    deps.log.warn({ workspaceId, code }, message);
}

/** The values for the audit log. They never include secrets. */
export function auditedCredentials({ mode, environment, clientId }: GatewayCredentials) {
  return { onboarding: mode, mode: environment, appId: clientId ?? null };
}
