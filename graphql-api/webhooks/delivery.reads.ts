import type { FilterQuery } from '@mikro-orm/postgresql';
import type { Context } from '../platform/context.ts';
import { numberedSql } from '../platform/database/numbered-sql.ts';
import { type Page, type PageRequest, readPage } from '../platform/database/page.ts';
import { workspaceOf } from '../platform/permit.ts';
import { WebhookAttempt } from './attempt.entity.ts';
import { WebhookDelivery } from './delivery.entity.ts';
import { POSTED_COLUMNS, type Posted, postedBody } from './dispatch/posted-body.ts';
import { EVENT_FAMILIES } from './event-types.ts';
import type { WebhookOutcome } from './outcomes.ts';

/** Omitted fields do not filter. */
export type WebhookDeliveryFilter = {
  readonly endpointId?: string | undefined;
  readonly state?: WebhookDelivery['state'] | null | undefined;
  /** The outcome of the last attempt. */
  readonly outcome?: WebhookOutcome | null | undefined;
  /** A type, or a family such as `payment.*`. */
  readonly eventType?: string | null | undefined;
  /** The earliest creation time, inclusive. */
  readonly since?: Date | null | undefined;
  /** The latest creation time, exclusive. */
  readonly until?: Date | null | undefined;
};

export async function webhookDeliveriesPage(
  context: Context,
  page: PageRequest,
  filter: WebhookDeliveryFilter,
): Promise<Page<WebhookDelivery>> {
  const workspaceId = workspaceOf(context.viewer);
  const where = { $and: [{ workspaceId }, ...conditionsOf(filter)] };
  return readPage(await context.read(), WebhookDelivery, where, page);
}

function conditionsOf({
  endpointId,
  state,
  outcome,
  eventType,
  since,
  until,
}: WebhookDeliveryFilter): FilterQuery<WebhookDelivery>[] {
  const conditions: FilterQuery<WebhookDelivery>[] = [];
  if (endpointId !== undefined) conditions.push({ endpointId });
  if (state != null) conditions.push({ state });
  if (outcome != null) conditions.push({ lastOutcome: outcome });
  if (eventType != null) conditions.push({ eventType: { $in: [...typesOf(eventType)] } });
  if (since != null) conditions.push({ createdAt: { $gte: since } });
  if (until != null) conditions.push({ createdAt: { $lt: until } });
  return conditions;
}

function typesOf(choice: string): readonly string[] {
  const family = EVENT_FAMILIES.find(({ name }) => choice === `${name}.*`);
  return family?.types.map(({ type }) => type) ?? [choice];
}

export async function webhookDeliveriesByIds(
  context: Context,
  ids: readonly string[],
): Promise<readonly WebhookDelivery[]> {
  const workspaceId = workspaceOf(context.viewer);
  return (await context.read()).find(WebhookDelivery, { id: [...ids], workspaceId });
}

export type PostedBody = { readonly id: string; readonly body: string };

/** The request bodies, by the IDs of the events. */
export async function postedBodies(
  context: Context,
  ids: readonly string[],
): Promise<readonly PostedBody[]> {
  const { rows } = await numberedSql(await context.read()).executeSql(POSTED, [
    ids,
    workspaceOf(context.viewer),
  ]);
  return (rows as PostedEvent[]).map(({ id, ...event }) => ({ id, body: postedBody(event) }));
}

type PostedEvent = Posted & { readonly id: string };

const POSTED = `
  SELECT id, ${POSTED_COLUMNS} FROM outbound_events AS event
  WHERE id = ANY($1::uuid[]) AND workspace_id = $2`;

/** The schedule has ten attempts; replays add more. */
export const ATTEMPTS_SHOWN_MAX = 50;

export type AttemptsOfDelivery = {
  readonly id: string;
  /** Latest first. */
  readonly attempts: readonly WebhookAttempt[];
};

export async function attemptsOfDeliveries(
  context: Context,
  ids: readonly string[],
): Promise<readonly AttemptsOfDelivery[]> {
  const em = await context.read();
  const { rows } = await numberedSql(em).executeSql(ATTEMPTS, [
    ids,
    workspaceOf(context.viewer),
    ATTEMPTS_SHOWN_MAX,
  ]);
  const attempts = (rows as object[]).map(row => em.map(WebhookAttempt, row));
  return [...Map.groupBy(attempts, ({ deliveryId }) => deliveryId)].map(([id, ofDelivery]) => ({
    id,
    attempts: ofDelivery,
  }));
}

const ATTEMPTS = `
  SELECT attempt.* FROM unnest($1::uuid[]) AS asked (id) CROSS JOIN LATERAL (
    SELECT * FROM webhook_attempts WHERE delivery_id = asked.id AND workspace_id = $2
    ORDER BY number DESC LIMIT $3
  ) AS attempt
  ORDER BY attempt.delivery_id, attempt.number DESC`;
