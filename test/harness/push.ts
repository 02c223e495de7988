// Sends push reports like SDKs, and reads the rows they create.

import { JSON_TYPE } from './batch-client.ts';
import { type Answer, type Request, send } from './http.ts';
import type { Ingest } from './ingest-process.ts';
import { sql, type Tenant } from './tenant.ts';
import { rows } from './warehouse.ts';

export type PushBody = Readonly<Record<string, unknown>>;

/** Sends a report, by default with the tenant's property and platform. */
export function postPush(
  ingest: Ingest,
  { writeKey, propertyId }: Pick<Tenant, 'writeKey' | 'propertyId'>,
  body: PushBody,
  options: Request = {},
): Promise<Answer> {
  return send(`${ingest.url}/v1/push/engagement`, {
    body: JSON.stringify({ platform: 'web', property_id: propertyId, ...body }),
    ...options,
    headers: { 'x-service-write-key': writeKey, ...JSON_TYPE, ...options.headers },
  });
}

export type DeliveryRow = {
  property_id: string;
  sdk_key_id: string;
  channel: string;
  delivery_id: string;
  status: string;
  event_type: string;
  platform: string;
  campaign_id: string;
  message_id: string;
  user_id: string;
  contact_id: string;
  anonymous_id: string;
  metadata: string;
  extra: string;
  received_at: string;
};

export type CardRow = {
  property_id: string;
  card_id: string;
  kind: string;
  channel: string;
  user_id: string;
  contact_id: string;
  anonymous_id: string;
  delivery_id: string;
  campaign_id: string;
  message_id: string;
  platform: string;
  details: string;
  received_at: string;
};

export type OutboundRow = {
  id: string;
  type: string;
  payload: Record<string, unknown>;
  occurred_at: Date;
};

export function deliveriesOf(workspaceId: string): Promise<DeliveryRow[]> {
  return rows<DeliveryRow>(
    `SELECT * EXCEPT workspace_id FROM deliveries WHERE workspace_id = {workspaceId:UUID}
     ORDER BY message_id, delivery_id`,
    { workspaceId },
  );
}

export function cardsOf(workspaceId: string): Promise<CardRow[]> {
  return rows<CardRow>(
    `SELECT * EXCEPT workspace_id FROM activity_cards WHERE workspace_id = {workspaceId:UUID}
     ORDER BY message_id, kind, card_id`,
    { workspaceId },
  );
}

export async function outboundOf(workspaceId: string): Promise<OutboundRow[]> {
  const found = await sql(
    `SELECT id, type, payload, occurred_at FROM outbound_events WHERE workspace_id = $1
     ORDER BY payload ->> 'message_id', type, id`,
    [workspaceId],
  );
  return found as OutboundRow[];
}
