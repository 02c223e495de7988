import {
  GATEWAY_SECRET_FIELDS,
  type GatewaySecretRotate,
} from '../../schema/wire/gateway-credentials.ts';
import { reject } from '../rejected.ts';
import { lockGatewayCredentials, warnOfSecrets } from './gateway-credentials-lock.ts';
import { putGatewaySecret } from './gateway-credentials-secret.ts';
import type { ActionScope } from './run-action.ts';

/** A new secret beside the old one, which webhooks under way are still signed with. */
export async function gatewaySecretRotate(
  scope: ActionScope,
  { secret, value, overlapSeconds }: GatewaySecretRotate,
): Promise<{ readonly workspaceId: string }> {
  const { em, deps, audit } = scope;
  const { workspaceId, credentials } = await lockGatewayCredentials(scope);
  if (credentials?.mode !== 'BYOM')
    reject('NOT_FOUND', { message: 'The workspace has no credentials of its own.' });
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
