import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { type RequestedReplay, requestReplay } from './dispatch/request-replay.ts';
import type { WebhookEndpointReplay } from './endpoint.contract.ts';
import { lockEnabledEndpoint } from './endpoint.lock.ts';

/** Replays the missed deliveries of an endpoint, or all deliveries of a time range. */
export async function webhookEndpointReplay(
  scope: ActionScope,
  { id, since, until, includeDelivered }: WebhookEndpointReplay,
): Promise<RequestedReplay> {
  if (includeDelivered && since == null)
    return reject('INVALID_RANGE', {
      field: ['since'],
      message: '`since` is required if `includeDelivered` is true.',
    });
  if (since != null && until != null && until <= since)
    return reject('INVALID_RANGE', { field: ['until'], message: '`until` must be after `since`.' });
  const { workspaceId } = await lockEnabledEndpoint(scope, id);
  const range = {
    ...(since != null && { from: since.toISOString() }),
    ...(until != null && { to: until.toISOString() }),
  };
  const replay = await requestReplay(scope, {
    workspaceId,
    endpointId: id,
    ...range,
    isFailedOnly: !includeDelivered,
  });
  await scope.audit({
    action: 'webhook_endpoint.replay',
    subjectType: 'webhook_endpoint',
    subjectId: id,
    after: { ...range, includeDelivered, count: replay.count },
  });
  return replay;
}
