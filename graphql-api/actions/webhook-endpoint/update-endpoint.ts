import type { Problem } from '../../../schema/values/problem.ts';
import type { WebhookEndpointUpdate } from '../../../schema/wire/webhook-endpoint.ts';
import type { Context } from '../../context.ts';
import { reject } from '../../rejected.ts';
import { type ActionScope, runAction } from '../run-action.ts';
import { requireUrl, urlProblemOf } from './create-endpoint.ts';
import { auditedEndpoint, lockEndpoint, touchEndpoint } from './lock-endpoint.ts';

/** What is under way goes where it was going; what is tried from then on, to the new address. */
export async function webhookEndpointUpdate(
  context: Context,
  input: WebhookEndpointUpdate,
  idempotencyKey: string | undefined,
): Promise<{ readonly id: string }> {
  const urlProblem = input.url === undefined ? undefined : await urlProblemOf(context, input.url);
  return runAction(context, scope => update(scope, input, urlProblem), input, {
    operation: 'webhookEndpointUpdate',
    idempotencyKey,
  });
}

async function update(
  scope: ActionScope,
  { id, version, url, description, eventTypes }: WebhookEndpointUpdate,
  urlProblem: Problem | undefined,
): Promise<{ readonly id: string }> {
  const endpoint = await lockEndpoint(scope, id);
  if (endpoint.version !== version) reject('WEBHOOK_ENDPOINT_CHANGED', { field: ['version'] });
  requireUrl(urlProblem);
  const before = auditedEndpoint(endpoint);
  const isUrlChanged = url !== undefined && url !== endpoint.url;
  if (isUrlChanged) endpoint.url = url;
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
