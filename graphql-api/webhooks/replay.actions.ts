import { kysely } from '../platform/database/kysely.ts';
import { requestJob } from '../platform/jobs/request-job.ts';
import { workspaceOf } from '../platform/permit.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import {
  countReplay,
  queueReplay,
  queueReplayOf,
  REPLAY_AT_ONCE_MAX,
  type ReplayFilter,
} from './dispatch/queue-replay.ts';
import { lockEndpoint } from './endpoint.actions.ts';
import type { WebhookDeliveriesReplay, WebhookEndpointReplay } from './endpoint.contract.ts';
import { replayWaitingWebhooks, replayWebhooks } from './replay.job.ts';

/** Replays deliveries in any state under the same IDs: either all or none. */
export async function webhookDeliveriesReplay(
  { em, viewer, audit }: ActionScope,
  { ids }: WebhookDeliveriesReplay,
): Promise<{ readonly ids: readonly string[] }> {
  const workspaceId = workspaceOf(viewer);
  const deliveries = await kysely(em)
    .selectFrom('webhook_deliveries as delivery')
    .leftJoin('webhook_endpoints as endpoint', 'endpoint.id', 'delivery.endpointId')
    .select(['delivery.id', 'endpointId', 'eventType', 'endpoint.state as endpointState'])
    .where('delivery.id', 'in', ids)
    .where('delivery.workspaceId', '=', workspaceId)
    .orderBy('delivery.id')
    .execute();
  // The state is null if the endpoint was deleted.
  if (deliveries.length < ids.length || deliveries.some(one => one.endpointState === null))
    return reject('NOT_FOUND', {
      field: ['ids'],
      message: 'A delivery or its endpoint does not exist. No delivery was replayed.',
    });
  if (deliveries.some(({ endpointState }) => endpointState !== 'ENABLED'))
    return reject('WEBHOOK_ENDPOINT_DISABLED', { field: ['ids'] });
  const queued = await queueReplayOf(em, workspaceId, ids);
  if (queued.length < ids.length)
    return reject('WEBHOOK_DELIVERY_NOT_REPLAYABLE', { field: ['ids'] });
  for (const { id, endpointId, eventType } of deliveries)
    await audit({
      action: 'webhook_delivery.replay',
      subjectId: id,
      after: { endpointId, eventType },
    });
  return { ids };
}

type RequestedReplay = {
  /** At most REPLAY_MAX. The caller can request the rest when these are finished. */
  readonly count: number;
  /** Whether a job queues them, starting about a second from now. */
  readonly isByJob: boolean;
};

/**
 * Replays the undelivered webhooks of an endpoint, only its pending ones, or all of a time range.
 */
export async function webhookEndpointReplay(
  scope: ActionScope,
  { id, since, until, includeDelivered, pendingOnly }: WebhookEndpointReplay,
): Promise<RequestedReplay> {
  if (includeDelivered && since == null)
    return reject('INVALID_RANGE', {
      field: ['since'],
      message: '`since` is required if `includeDelivered` is true.',
    });
  if (includeDelivered && pendingOnly)
    return reject('BAD_USER_INPUT', {
      field: ['pendingOnly'],
      message: '`pendingOnly` and `includeDelivered` cannot both be true.',
    });
  if (since != null && until != null && until <= since)
    return reject('INVALID_RANGE', { field: ['until'], message: '`until` must be after `since`.' });
  const { workspaceId, state } = await lockEndpoint(scope, id);
  if (state !== 'ENABLED') reject('WEBHOOK_ENDPOINT_DISABLED', { field: ['id'] });
  const range = {
    ...(since != null && { from: since.toISOString() }),
    ...(until != null && { to: until.toISOString() }),
  };
  const filter = {
    workspaceId,
    endpointId: id,
    ...range,
    isFailedOnly: !includeDelivered,
    isPendingOnly: pendingOnly,
  };
  const replay = await requestReplay(scope, filter);
  await scope.audit({
    action: 'webhook_endpoint.replay',
    subjectId: id,
    after: { ...range, includeDelivered, pendingOnly, count: replay.count },
  });
  return replay;
}

/** Queues small replays in the action and large ones in a job. */
async function requestReplay(scope: ActionScope, filter: ReplayFilter): Promise<RequestedReplay> {
  const { count, asOf: finishedBefore } = await countReplay(scope.em, filter);
  if (count > REPLAY_AT_ONCE_MAX) {
    const job = filter.isPendingOnly ? replayWaitingWebhooks : replayWebhooks;
    await requestJob(scope, job, { filter, finishedBefore });
    return { count, isByJob: true };
  }
  const window = { finishedBefore, max: REPLAY_AT_ONCE_MAX };
  return { count: await queueReplay(scope.em, filter, window), isByJob: false };
}
