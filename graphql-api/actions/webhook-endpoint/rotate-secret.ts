import type { WebhookSecretRotate } from '../../../schema/wire/webhook-endpoint.ts';
import type { ActionScope } from '../run-action.ts';
import type { EndpointWithSecret } from './create-endpoint.ts';
import { lockEndpoint, touchEndpoint } from './lock-endpoint.ts';
import { putSecret } from './put-secret.ts';

/** A new secret, beside which the old one signs too, until its receivers have followed. */
export async function webhookSecretRotate(
  scope: ActionScope,
  { id, overlapSeconds }: WebhookSecretRotate,
): Promise<EndpointWithSecret> {
  const endpoint = await lockEndpoint(scope, id);
  touchEndpoint(scope, endpoint);
  await scope.em.flush();
  const secret = await putSecret(scope, endpoint, overlapSeconds);
  await scope.audit({
    action: 'webhook_endpoint.rotate_secret',
    subjectType: 'webhook_endpoint',
    subjectId: id,
    after: { overlapSeconds },
  });
  return { id, secret };
}
