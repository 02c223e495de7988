import type { Context } from '../platform/context.ts';
import { workspaceReads } from '../platform/database/entity-reads.ts';
import { type RowOf, rowsOf, sql } from '../platform/database/kysely.ts';
import type { Page, PageRequest } from '../platform/database/page.ts';
import { workspaceOf } from '../platform/permit.ts';
import { WebhookDelivery } from './delivery.entity.ts';
import { POSTED_COLUMNS, type Posted, postedBody } from './dispatch/posted-body.ts';
import { EVENT_FAMILIES } from './event-types.ts';
import type { WebhookOutcome } from './outcomes.ts';

/** Omitted fields do not filter. */
type WebhookDeliveryFilter = {
  readonly endpointId?: string | undefined;
  readonly state?: WebhookDelivery['state'] | null | undefined;
  /** Whether the delivery is pending after a failed attempt. */
  readonly isRetrying?: boolean | null | undefined;
  /** The outcome of the last attempt. */
  readonly outcome?: WebhookOutcome | null | undefined;
  /** A type, or a family such as `payment.*`. */
  readonly eventType?: string | null | undefined;
  /** The earliest creation time, inclusive. */
  readonly since?: Date | null | undefined;
  /** The latest creation time, exclusive. */
  readonly until?: Date | null | undefined;
};

export const webhookDeliveries = workspaceReads(WebhookDelivery);

export async function webhookDeliveriesPage(
  context: Context,
  page: PageRequest,
  { endpointId, state, isRetrying, outcome, eventType, since, until }: WebhookDeliveryFilter,
): Promise<Page<WebhookDelivery>> {
  const createdAt = { ...(since != null && { $gte: since }), ...(until != null && { $lt: until }) };
  return webhookDeliveries.page(context, page, {
    ...(endpointId !== undefined && { endpointId }),
    ...(state != null && { state }),
    ...(isRetrying != null && (isRetrying ? RETRYING : NOT_RETRYING)),
    ...(outcome != null && { lastOutcome: outcome }),
    ...(eventType != null && { eventType: { $in: [...typesOf(eventType)] } }),
    ...((since ?? until) != null && { createdAt }),
  });
}

/** Without `last_outcome` there was no attempt yet; after DELIVERED, an owner replays it. */
const RETRYING = {
  $and: [{ state: 'PENDING' as const, lastOutcome: { $ne: 'DELIVERED' as const } }],
};
const NOT_RETRYING = {
  $or: [
    { state: { $ne: 'PENDING' as const } },
    { lastOutcome: null },
    { lastOutcome: 'DELIVERED' as const },
  ],
};

function typesOf(choice: string): readonly string[] {
  const family = EVENT_FAMILIES.find(({ name }) => choice === `${name}.*`);
  return family?.types.map(({ type }) => type) ?? [choice];
}

/** The request bodies, by the IDs of the events. */
export async function postedBodies(context: Context, ids: readonly string[]) {
  const events = await rowsOf(
    await context.read(),
    sql<Posted & { readonly id: string }>`
      SELECT id, ${POSTED_COLUMNS} FROM outbound_events AS event
      WHERE id = ANY (${ids}) AND workspace_id = ${workspaceOf(context.viewer)}`,
  );
  return events.map(({ id, ...event }) => ({ id, body: postedBody(event) }));
}

/** The schedule has ten attempts; replays add more. */
export const ATTEMPTS_SHOWN_MAX = 50;

/** The attempts of each delivery, latest first. */
export async function attemptsOfDeliveries(context: Context, ids: readonly string[]) {
  const attempts = await rowsOf(
    await context.read(),
    sql<RowOf<'webhook_attempts'>>`
      SELECT attempt.* FROM unnest(${ids}::uuid[]) AS asked (id) CROSS JOIN LATERAL (
        SELECT * FROM webhook_attempts
        WHERE delivery_id = asked.id AND workspace_id = ${workspaceOf(context.viewer)}
        ORDER BY number DESC LIMIT ${ATTEMPTS_SHOWN_MAX}
      ) AS attempt
      ORDER BY attempt.delivery_id, attempt.number DESC`,
  );
  return [...Map.groupBy(attempts, ({ deliveryId }) => deliveryId)].map(([id, ofDelivery]) => ({
    id,
    attempts: ofDelivery,
  }));
}
