import type { GatewaySecretField } from '../../schema/gateway/secret-place.ts';
import { oneAtATime } from '../platform/one-at-a-time.ts';
import { workspaceOf } from '../platform/permit.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { GatewayCredentials } from './credentials.entity.ts';
import { credentialsWarnings } from './credentials.reads.ts';

export type LockedCredentials = {
  readonly workspaceId: string;
  /** Undefined where the workspace has set none. */
  readonly credentials: GatewayCredentials | undefined;
};

/** Of the viewer's workspace. Two that set the first ones wait for each other too. */
export async function lockGatewayCredentials(scope: ActionScope): Promise<LockedCredentials> {
  const workspaceId = workspaceOf(scope.viewer);
  await oneAtATime(scope, `gateway_credentials of ${workspaceId}`);
  const credentials = await scope.em.findOne(GatewayCredentials, { workspaceId });
  return { workspaceId, credentials: credentials ?? undefined };
}

/** To the log, since nobody may look at the warnings in the dashboard before payments are missed. */
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

/** What the audit log shows: nothing of the secrets but that they are others now. */
export function auditedCredentials({ mode, environment, clientId }: GatewayCredentials) {
  return { onboarding: mode, mode: environment, appId: clientId ?? null };
}
