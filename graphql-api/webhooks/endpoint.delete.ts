import type { ActionScope } from '../platform/run-action.ts';
import type { WebhookEndpointId } from './endpoint.contract.ts';
import { auditedEndpoint, lockEndpoint } from './endpoint.lock.ts';

/** Deletes an endpoint and its secrets. Its deliveries stay in the log for the usual time. */
export async function webhookEndpointDelete(
  scope: ActionScope,
  { id }: WebhookEndpointId,
): Promise<{ readonly id: string }> {
  const { em, audit } = scope;
  const endpoint = await lockEndpoint(scope, id);
  await em.remove(endpoint).flush();
  await audit({
    action: 'webhook_endpoint.delete',
    subjectType: 'webhook_endpoint',
    subjectId: id,
    before: auditedEndpoint(endpoint),
  });
  return { id };
}
