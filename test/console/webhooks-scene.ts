// Endpoints of a workspace, and events that are sent to them.

import { v7 as uuidv7 } from 'uuid';
import { expect } from 'vitest';
import { type Asker, mutate } from '../graphql-api/harness/mutate.ts';
import { eventually } from '../harness/eventually.ts';
import { sql, type Tenant } from '../harness/tenant.ts';

type Made = { readonly webhookEndpoint: { readonly id: string }; readonly secret: string };

export function makeEndpoint(asker: Asker, url: string): Promise<Made> {
  const args = { input: { url, description: 'Shop backend' } };
  return mutate<Made>(asker, 'webhookEndpointCreate', args, 'webhookEndpoint { id } secret');
}

/** Creates an outbound event in the workspace; returns its ID. */
export async function happen({ workspaceId }: Tenant, type: string): Promise<string> {
  const id = uuidv7();
  await sql(
    `INSERT INTO outbound_events (id, workspace_id, type, payload, occurred_at)
     VALUES ($1, $2, $3, $4, now())`,
    [id, workspaceId, type, JSON.stringify({ payment_id: '9007199254740993', amount: '170.50' })],
  );
  return id;
}

export function untilSettled(eventId: string, state: string) {
  return eventually(async () => {
    const [row] = await sql(
      'SELECT state, attempts FROM webhook_deliveries WHERE event_id = $1 AND attempts > 0',
      [eventId],
    );
    expect(row).toMatchObject({ state });
  });
}

/** Inserts deliveries to the workspace’s endpoint that succeeded, the newest a minute ago. */
export function insertDelivered({ workspaceId }: Tenant, count: number) {
  return sql(
    `INSERT INTO webhook_deliveries (id, workspace_id, endpoint_id, event_id, event_type, state,
       attempts, last_status, last_outcome, last_latency_ms, created_at, finished_at)
     SELECT gen_random_uuid(), $1, endpoint.id, gen_random_uuid(), 'order.paid', 'DELIVERED',
       1, 204, 'DELIVERED', 5, now() - n * interval '1 minute', now() - n * interval '1 minute'
     FROM webhook_endpoints AS endpoint, generate_series(1, $2::integer) AS n
     WHERE endpoint.workspace_id = $1`,
    [workspaceId, count],
  );
}
