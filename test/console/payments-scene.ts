// What the payment gateway reports to a workspace.

import { randomUUID } from 'node:crypto';
import { sql, type Tenant } from '../harness/tenant.ts';

/** Sends a gateway event to a workspace; returns its ID. */
export async function tell({ workspaceId }: Tenant, type: string, data: object): Promise<string> {
  const id = randomUUID();
  const body = JSON.stringify({ type, data, event_time: new Date().toISOString() });
  await sql(
    `INSERT INTO gateway_events (id, account_id, event_key, type, family, body, verified_field,
       verified_generation, received_at, next_attempt_at, workspace_id)
     VALUES ($1::uuid, $2, $1::text, $3, 'payment', convert_to($4, 'UTF8'), 'webhook_secret', 'CURRENT',
       now(), now(), $2)`,
    [id, workspaceId, type, body],
  );
  return id;
}
