import { LockMode } from '@mikro-orm/postgresql';
import { workspaceOf } from '../platform/permit.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { WebhookEndpoint } from './endpoint.entity.ts';

/**
 * Locks the workspace's endpoint, so that the audit's `before` is exactly what the change replaces.
 */
export async function lockEndpoint(
  { em, viewer }: ActionScope,
  id: string,
): Promise<WebhookEndpoint> {
  const where = { id, workspaceId: workspaceOf(viewer) };
  const endpoint = await em.findOne(WebhookEndpoint, where, {
    lockMode: LockMode.PESSIMISTIC_WRITE,
  });
  return (
    endpoint ??
    reject('NOT_FOUND', { field: ['id'], message: 'No webhook endpoint exists with this ID.' })
  );
}

export async function lockEnabledEndpoint(
  scope: ActionScope,
  id: string,
): Promise<WebhookEndpoint> {
  const endpoint = await lockEndpoint(scope, id);
  if (endpoint.state !== 'ENABLED') reject('WEBHOOK_ENDPOINT_DISABLED', { field: ['id'] });
  return endpoint;
}

/** Increases the version after a change by a member. */
export function touchEndpoint({ deps }: ActionScope, endpoint: WebhookEndpoint): void {
  endpoint.version += 1;
  endpoint.updatedAt = new Date(deps.clock.nowMs());
}

/** The audited fields. Only the host of the URL is logged, because paths and queries often contain
 * credentials. */
export function auditedEndpoint({ url, description, eventTypes, state }: WebhookEndpoint) {
  return { host: new URL(url).host, description, eventTypes: [...eventTypes], state };
}
