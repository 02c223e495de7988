import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { GATEWAY_SECRET_FIELDS, type GatewaySecretRotate } from './credentials.contract.ts';
import { lockGatewayCredentials, warnOfSecrets } from './credentials.lock.ts';
import { putGatewaySecret } from './credentials.secret.ts';

/**
 * Replaces a secret. The previous one stays valid during the overlap, for webhooks that were signed
 * with it.
 */
export async function gatewaySecretRotate(
  scope: ActionScope,
  { secret, value, overlapSeconds }: GatewaySecretRotate,
): Promise<{ readonly workspaceId: string }> {
  const { em, deps, audit } = scope;
  const { workspaceId, credentials } = await lockGatewayCredentials(scope);
  if (credentials?.mode !== 'BYOM')
    reject('NOT_FOUND', { message: 'No payment gateway credentials are set for this workspace.' });
  const field = GATEWAY_SECRET_FIELDS[secret];
  await putGatewaySecret(scope, { workspaceId, field, text: value, overlapSeconds });
  em.assign(credentials, {
    version: credentials.version + 1,
    updatedAt: new Date(deps.clock.nowMs()),
  });
  await em.flush();
  await warnOfSecrets(scope, workspaceId, 'BYOM');
  await audit({
    action: 'gateway_credentials.rotate',
    subjectType: 'gateway_credentials',
    subjectId: workspaceId,
    after: { secret, overlapSeconds },
  });
  return { workspaceId };
}
