import type { ActionScope } from '../platform/run-action.ts';
import type { WebhookEndpointId } from './endpoint.contract.ts';
import { lockEndpoint, touchEndpoint } from './endpoint.lock.ts';

/** Enables an endpoint for events from now on. Missed events can be replayed. */
export async function webhookEndpointEnable(
  scope: ActionScope,
  { id }: WebhookEndpointId,
): Promise<{ readonly id: string }> {
  const endpoint = await lockEndpoint(scope, id);
  const { state, disabledReason } = endpoint;
  if (state === 'ENABLED') return { id };
  // Without the reset, earlier failures would count and disable the endpoint again.
  Object.assign(endpoint, {
    state: 'ENABLED',
    disabledReason: null,
    disabledAt: null,
    failingSince: null,
  });
  touchEndpoint(scope, endpoint);
  await scope.em.flush();
  await scope.audit({
    action: 'webhook_endpoint.enable',
    subjectType: 'webhook_endpoint',
    subjectId: id,
    before: { state, disabledReason },
    after: { state: 'ENABLED', disabledReason: null },
  });
  return { id };
}

/** Disables an endpoint. Idempotent: a disabled endpoint keeps its reason. */
export async function webhookEndpointDisable(
  scope: ActionScope,
  { id }: WebhookEndpointId,
): Promise<{ readonly id: string }> {
  const endpoint = await lockEndpoint(scope, id);
  if (endpoint.state !== 'ENABLED') return { id };
  Object.assign(endpoint, {
    state: 'DISABLED',
    disabledReason: 'BY_OPERATOR',
    disabledAt: new Date(scope.deps.clock.nowMs()),
  });
  touchEndpoint(scope, endpoint);
  await scope.em.flush();
  await scope.audit({
    action: 'webhook_endpoint.disable',
    subjectType: 'webhook_endpoint',
    subjectId: id,
    before: { state: 'ENABLED', disabledReason: null },
    after: { state: 'DISABLED', disabledReason: 'BY_OPERATOR' },
  });
  return { id };
}
