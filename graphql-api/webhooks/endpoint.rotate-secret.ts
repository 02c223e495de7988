import type { ActionScope } from '../platform/run-action.ts';
import type { WebhookSecretRotate } from './endpoint.contract.ts';
import type { EndpointWithSecret } from './endpoint.create.ts';
import { lockEndpoint, touchEndpoint } from './endpoint.lock.ts';
import { putSecret } from './endpoint.put-secret.ts';

/** Creates a new secret. The previous secret also signs until receivers have switched. */
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
