import type { WebhookEndpointId } from '../../../schema/wire/webhook-endpoint.ts';
import type { ActionScope } from '../run-action.ts';
import { auditedEndpoint, lockEndpoint } from './lock-endpoint.ts';

/** For ever, with its secrets. Its deliveries stay in the log for as long as others do. */
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
