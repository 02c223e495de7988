import { LockMode } from '@mikro-orm/postgresql';
import { workspaceOf } from '../platform/permit.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { WebhookEndpoint } from './endpoint.entity.ts';

/** The workspace's endpoint, locked, so that the audit's `before` is what this change replaced. */
export async function lockEndpoint(
  { em, viewer }: ActionScope,
  id: string,
): Promise<WebhookEndpoint> {
  const where = { id, workspaceId: workspaceOf(viewer) };
  const endpoint = await em.findOne(WebhookEndpoint, where, {
    lockMode: LockMode.PESSIMISTIC_WRITE,
  });
  return endpoint ?? reject('NOT_FOUND', { field: ['id'], message: 'There is no such endpoint.' });
}

export async function lockEnabledEndpoint(
  scope: ActionScope,
  id: string,
): Promise<WebhookEndpoint> {
  const endpoint = await lockEndpoint(scope, id);
  if (endpoint.state !== 'ENABLED') reject('WEBHOOK_ENDPOINT_DISABLED', { field: ['id'] });
  return endpoint;
}

/** What people decided about it is another thing now. */
export function touchEndpoint({ deps }: ActionScope, endpoint: WebhookEndpoint): void {
  endpoint.version += 1;
  endpoint.updatedAt = new Date(deps.clock.nowMs());
}

/** What the audit log shows. Of the address only the host: what is behind it often lets somebody in. */
export function auditedEndpoint({ url, description, eventTypes, state }: WebhookEndpoint) {
  return { host: new URL(url).host, description, eventTypes: [...eventTypes], state };
}
