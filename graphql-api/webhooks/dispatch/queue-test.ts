import type { EntityManager } from '@mikro-orm/postgresql';
import type { AppDeps } from '../../platform/context.ts';
import { kysely, sql } from '../../platform/database/kysely.ts';
import { emitEvent } from '../emit-event.ts';
import type { WebhookEndpoint } from '../endpoint.entity.ts';
import { TEST_EVENT_TYPE } from '../event-types.ts';

/**
 * Queues a test event for this endpoint only, even if it is disabled. A test that fails is not
 * retried; only one whose attempt was interrupted is sent again.
 */
export async function queueTest(
  em: EntityManager,
  { clock, newId }: Pick<AppDeps, 'clock' | 'newId'>,
  { id: endpointId, workspaceId }: Pick<WebhookEndpoint, 'id' | 'workspaceId'>,
): Promise<{ readonly deliveryId: string; readonly eventId: string }> {
  const [eventId, deliveryId] = [newId(), newId()];
  await emitEvent(em, {
    id: eventId,
    workspaceId,
    type: TEST_EVENT_TYPE,
    facts: { endpoint_id: endpointId },
    occurredAt: new Date(clock.nowMs()),
    isFannedOut: true,
  });
  await kysely(em)
    .insertInto('webhook_deliveries')
    .values({
      id: deliveryId,
      workspaceId,
      endpointId,
      eventId,
      eventType: TEST_EVENT_TYPE,
      isTest: true,
      cause: 'TEST',
      nextAttemptAt: sql`now()`,
    })
    .execute();
  return { deliveryId, eventId };
}
