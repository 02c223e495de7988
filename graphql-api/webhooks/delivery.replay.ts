import { workspaceOf } from '../platform/permit.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { queueReplayOf } from './dispatch/queue-replay.ts';
import type { WebhookDeliveriesReplay } from './endpoint.contract.ts';
import type { WebhookEndpoint } from './endpoint.entity.ts';

type Found = {
  readonly id: string;
  readonly endpointId: string;
  readonly eventType: string;
  /** Null if the endpoint was deleted. */
  readonly endpointState: WebhookEndpoint['state'] | null;
};

/** Replays deliveries in any state under the same IDs: either all or none. */
export async function webhookDeliveriesReplay(
  { em, viewer, audit }: ActionScope,
  { ids }: WebhookDeliveriesReplay,
): Promise<{ readonly ids: readonly string[] }> {
  const workspaceId = workspaceOf(viewer);
  const found = await em.execute<Found[]>(
    `SELECT delivery.id, endpoint_id AS "endpointId", event_type AS "eventType",
       endpoint.state AS "endpointState"
     FROM webhook_deliveries delivery LEFT JOIN webhook_endpoints endpoint
       ON endpoint.id = endpoint_id
     WHERE delivery.id = ANY (?::uuid[]) AND delivery.workspace_id = ?
     ORDER BY delivery.id`,
    [`{${ids.join()}}`, workspaceId],
  );
  if (found.length < ids.length || found.some(({ endpointState }) => endpointState === null))
    return reject('NOT_FOUND', {
      field: ['ids'],
      message: 'A delivery or its endpoint does not exist. No delivery was replayed.',
    });
  if (found.some(({ endpointState }) => endpointState !== 'ENABLED'))
    return reject('WEBHOOK_ENDPOINT_DISABLED', { field: ['ids'] });
  const queued = await queueReplayOf(em, workspaceId, ids);
  if (queued.length < ids.length)
    return reject('WEBHOOK_DELIVERY_NOT_REPLAYABLE', { field: ['ids'] });
  for (const { id, endpointId, eventType } of found)
    await audit({
      action: 'webhook_delivery.replay',
      subjectType: 'webhook_delivery',
      subjectId: id,
      after: { endpointId, eventType },
    });
  return { ids };
}
