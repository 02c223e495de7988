import type { Context } from '../platform/context.ts';
import { reject } from '../platform/rejected.ts';
import { type ActionScope, runAction } from '../platform/run-action.ts';
import type { WebhookEndpointUpdate } from './endpoint.contract.ts';
import { auditedEndpoint, lockEndpoint, touchEndpoint } from './endpoint.lock.ts';
import { type Address, readAddress, requireAddress } from './endpoint.read-address.ts';

/** Attempts in progress go to the old URL; attempts from now on go to the new one. */
export async function webhookEndpointUpdate(
  context: Context,
  input: WebhookEndpointUpdate,
  idempotencyKey: string | undefined,
): Promise<{ readonly id: string }> {
  const address = input.url === undefined ? undefined : await readAddress(context, input.url);
  return runAction(context, scope => update(scope, input, address), input, {
    operation: 'webhookEndpointUpdate',
    idempotencyKey,
  });
}

async function update(
  scope: ActionScope,
  { id, version, description, eventTypes }: WebhookEndpointUpdate,
  address: Address | undefined,
): Promise<{ readonly id: string }> {
  const endpoint = await lockEndpoint(scope, id);
  if (endpoint.version !== version) reject('WEBHOOK_ENDPOINT_CHANGED', { field: ['version'] });
  const url = address === undefined ? endpoint.url : requireAddress(address);
  const before = auditedEndpoint(endpoint);
  const isUrlChanged = url !== endpoint.url;
  endpoint.url = url;
  // Failures of the previous URL say nothing about the new one.
  if (isUrlChanged) endpoint.failingSince = null;
  if (description !== undefined) endpoint.description = description ?? '';
  if (eventTypes !== undefined) endpoint.eventTypes = eventTypes ?? [];
  touchEndpoint(scope, endpoint);
  await scope.em.flush();
  await scope.audit({
    action: 'webhook_endpoint.update',
    subjectType: 'webhook_endpoint',
    subjectId: id,
    before,
    after: { ...auditedEndpoint(endpoint), isUrlChanged },
  });
  return { id };
}
