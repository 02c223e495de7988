import type { Sealed } from '../../schema/values/sealing.ts';
import type { Context } from '../platform/context.ts';
import { countOf } from '../platform/database/count-of.ts';
import { oneAtATime } from '../platform/one-at-a-time.ts';
import { workspaceOf } from '../platform/permit.ts';
import { reject } from '../platform/rejected.ts';
import { type ActionScope, runAction } from '../platform/run-action.ts';
import type { WebhookEndpointCreate } from './endpoint.contract.ts';
import { WebhookEndpoint } from './endpoint.entity.ts';
import { auditedEndpoint } from './endpoint.lock.ts';
import { putSecret } from './endpoint.put-secret.ts';
import { type Address, readAddress, requireAddress } from './endpoint.read-address.ts';

/** Bounds the fan-out: each event is posted to each endpoint. */
export const ENDPOINTS_MAX = 20;

export type EndpointWithSecret = { readonly id: string; readonly secret: Sealed };

/** Resolves the host before the transaction, so that the transaction does not wait for DNS. */
export async function webhookEndpointCreate(
  context: Context,
  input: WebhookEndpointCreate,
  idempotencyKey: string | undefined,
): Promise<EndpointWithSecret> {
  const address = await readAddress(context, input.url);
  return runAction(context, scope => create(scope, input, address), input, {
    operation: 'webhookEndpointCreate',
    idempotencyKey,
  });
}

async function create(
  scope: ActionScope,
  { description, eventTypes }: WebhookEndpointCreate,
  address: Address,
): Promise<EndpointWithSecret> {
  const { em, viewer, deps, audit } = scope;
  const url = requireAddress(address);
  const workspaceId = workspaceOf(viewer);
  await oneAtATime(scope, `webhook_endpoints of ${workspaceId}`);
  if ((await countOf(em, WebhookEndpoint, { workspaceId })) >= ENDPOINTS_MAX)
    reject('TOO_MANY_WEBHOOK_ENDPOINTS');
  const now = new Date(deps.clock.nowMs());
  const endpoint = em.create(WebhookEndpoint, {
    id: deps.newId(),
    workspaceId,
    url,
    description: description ?? '',
    eventTypes: eventTypes ?? [],
    createdBy: viewer.userId,
    createdAt: now,
    updatedAt: now,
  });
  await em.persist(endpoint).flush();
  const secret = await putSecret(scope, endpoint, 0);
  await audit({
    action: 'webhook_endpoint.create',
    subjectType: 'webhook_endpoint',
    subjectId: endpoint.id,
    after: auditedEndpoint(endpoint),
  });
  return { id: endpoint.id, secret };
}
