import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import {
  GATEWAY_SECRET_FIELDS,
  type GatewayCredentialsSet,
  type GatewaySecretName,
} from './credentials.contract.ts';
import { GatewayCredentials } from './credentials.entity.ts';
import { auditedCredentials, lockGatewayCredentials, warnOfSecrets } from './credentials.lock.ts';
import { putGatewaySecret } from './credentials.secret.ts';

/**
 * Sets the gateway credentials of the viewer's workspace. Omitted secrets are unchanged, unless the
 * account changes. Secrets that are given take effect immediately.
 */
export async function gatewayCredentialsSet(
  scope: ActionScope,
  input: GatewayCredentialsSet,
): Promise<{ readonly workspaceId: string }> {
  const { em, deps, audit } = scope;
  const { workspaceId, credentials } = await lockGatewayCredentials(scope);
  if ((input.version ?? undefined) !== credentials?.version) reject('GATEWAY_CREDENTIALS_CHANGED');
  const before = credentials && auditedCredentials(credentials);
  const isOtherAccount =
    credentials?.clientId !== (input.appId ?? null) || credentials?.environment !== input.mode;
  checkSecrets(input, isOtherAccount);
  const now = new Date(deps.clock.nowMs());
  const row =
    credentials ??
    em.create(GatewayCredentials, {
      workspaceId,
      ...settings(input),
      createdAt: now,
      updatedAt: now,
    });
  if (credentials !== undefined) {
    em.assign(row, { ...settings(input), version: row.version + 1, updatedAt: now });
    if (isOtherAccount) em.assign(row, { checkedAt: null, checkResult: null });
  }
  await em.persist(row).flush();
  if (isOtherAccount)
    await em.execute('DELETE FROM gateway_secrets WHERE workspace_id = ?', [workspaceId]);
  const given = givenSecrets(input);
  for (const [name, text] of given) {
    const field = GATEWAY_SECRET_FIELDS[name];
    await putGatewaySecret(scope, { workspaceId, field, text, overlapSeconds: 0 });
  }
  await warnOfSecrets(scope, workspaceId, input.onboarding);
  await audit({
    action: 'gateway_credentials.set',
    subjectType: 'gateway_credentials',
    subjectId: workspaceId,
    ...(before && { before }),
    after: { ...auditedCredentials(row), secretsSet: given.map(([name]) => name) },
  });
  return { workspaceId };
}

function settings({ onboarding, mode, appId }: GatewayCredentialsSet) {
  return { mode: onboarding, environment: mode, clientId: appId ?? null };
}

function checkSecrets(input: GatewayCredentialsSet, isOtherAccount: boolean): void {
  const bad = (field: string, message: string) =>
    reject('BAD_USER_INPUT', { field: [field], message });
  if (input.onboarding === 'MANAGED') {
    if (input.appId != null || givenSecrets(input).length > 0)
      bad('onboarding', 'A managed workspace must not have credentials.');
    return;
  }
  if (input.appId == null) bad('appId', 'appId is required for BYOM.');
  if (isOtherAccount && input.secretKey == null)
    bad('secretKey', 'secretKey is required when the account changes.');
}

function givenSecrets(input: GatewayCredentialsSet): [GatewaySecretName, string][] {
  const all: [GatewaySecretName, string | null | undefined][] = [
    ['SECRET_KEY', input.secretKey],
    ['WEBHOOK_SECRET', input.webhookSecret],
    ['WEBHOOK_SECRET_SECONDARY', input.webhookSecretSecondary],
  ];
  return all.filter((entry): entry is [GatewaySecretName, string] => entry[1] != null);
}
