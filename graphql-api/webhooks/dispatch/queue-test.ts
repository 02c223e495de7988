import type { EntityManager } from '@mikro-orm/postgresql';
import type { AppDeps } from '../../platform/context.ts';
import { emitEvent } from '../emit-event.ts';
import type { WebhookEndpoint } from '../endpoint.entity.ts';
import { TEST_EVENT_TYPE } from '../event-types.ts';

export type QueuedTest = {
  readonly deliveryId: string;
  readonly eventId: string;
};

/** Queues a test event for this endpoint only, even if it is disabled. It is tried once. */
export async function queueTest(
  em: EntityManager,
  { clock, newId }: Pick<AppDeps, 'clock' | 'newId'>,
  { id: endpointId, workspaceId }: Pick<WebhookEndpoint, 'id' | 'workspaceId'>,
): Promise<QueuedTest> {
  const [eventId, deliveryId] = [newId(), newId()];
  await emitEvent(em, {
    id: eventId,
    workspaceId,
    type: TEST_EVENT_TYPE,
    facts: { endpoint_id: endpointId },
    occurredAt: new Date(clock.nowMs()),
    isFannedOut: true,
  });
  await em.execute(
    `INSERT INTO webhook_deliveries
       (id, workspace_id, endpoint_id, event_id, event_type, is_test, cause, next_attempt_at)
     VALUES (?, ?, ?, ?, ?, true, 'TEST', now())`,
    [deliveryId, workspaceId, endpointId, eventId, TEST_EVENT_TYPE],
  );
  return { deliveryId, eventId };
}
