import type { ActionScope } from '../platform/run-action.ts';
import { queueTest } from './dispatch/queue-test.ts';
import type { WebhookEndpointId } from './endpoint.contract.ts';
import { lockEndpoint } from './endpoint.lock.ts';

/** Queues a test webhook without content. Also works for a disabled endpoint. */
export async function webhookEndpointTest(
  scope: ActionScope,
  { id }: WebhookEndpointId,
): Promise<{ readonly deliveryId: string }> {
  const { em, deps, audit } = scope;
  const endpoint = await lockEndpoint(scope, id);
  const { deliveryId } = await queueTest(em, deps, endpoint);
  await audit({
    action: 'webhook_endpoint.test',
    subjectType: 'webhook_endpoint',
    subjectId: id,
  });
  return { deliveryId };
}
