import type { EntityManager } from '@mikro-orm/postgresql';
import { kysely, sql } from '../platform/database/kysely.ts';
import { currentRequestId } from '../platform/observe/request-id.ts';

type OutboundEvent = {
  /** Derived from what happened, so that emitting the event again has no effect. */
  readonly id: string;
  readonly workspaceId: string;
  readonly type: string;
  /** The data of the webhook, beside `occurred_at`. */
  readonly facts: Readonly<Record<string, unknown>>;
  readonly occurredAt: Date;
  /** Whether the caller creates the deliveries itself. */
  readonly isFannedOut?: boolean;
};

/** Emits an event to the webhook endpoints of a workspace, in the caller's transaction. */
export async function emitEvent(
  em: EntityManager,
  { facts, isFannedOut = false, ...event }: OutboundEvent,
): Promise<void> {
  await kysely(em)
    .insertInto('outbound_events')
    .values({
      ...event,
      payload: { ...facts, occurred_at: event.occurredAt.toISOString() },
      fannedOutAt: isFannedOut ? sql`now()` : null,
      requestId: currentRequestId() ?? null,
    })
    .onConflict(conflict => conflict.column('id').doNothing())
    .execute();
}
