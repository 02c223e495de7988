// Inserts rows for reports directly into the tables that ingest writes, so that tests can choose
// their times and create thousands at once.

import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Tenant } from '../../harness/tenant.ts';
import { warehouse } from '../../harness/warehouse.ts';
import type { Api } from './api-process.ts';
import { tokenFor } from './tokens.ts';

export type Row = Readonly<Record<string, unknown>>;
type Workspace = Pick<Tenant, 'workspaceId' | 'keyId'>;

export async function insertRows(table: string, values: readonly Row[]): Promise<void> {
  await warehouse().insert({
    table,
    values,
    format: 'JSONEachRow',
    clickhouse_settings: { date_time_input_format: 'best_effort' },
  });
}

/** The default campaign of the rows. */
export const REPORTED_CAMPAIGN_ID = 'campaign-1';

/** A track event at the current time, with these fields replaced. */
export function eventRow({ workspaceId, keyId }: Workspace, fields: Row = {}): Row {
  const timestamp = fields.timestamp ?? new Date().toISOString();
  return {
    workspace_id: workspaceId,
    sdk_key_id: keyId,
    type: 'track',
    event: 'Order Completed',
    message_id: randomUUID(),
    sent_at: timestamp,
    received_at: timestamp,
    corrected_at: timestamp,
    anonymous_id: 'anonymous-1',
    session_id: 'session-1',
    ...fields,
    timestamp,
  };
}

export function rejectedRow({ workspaceId, keyId }: Workspace, fields: Row = {}): Row {
  return {
    workspace_id: workspaceId,
    sdk_key_id: keyId,
    endpoint: '/v1/batch',
    code: 'MISSING_FIELD',
    message: 'messageId is missing.',
    body: JSON.stringify({ type: 'track', number: randomUUID() }),
    received_at: new Date().toISOString(),
    ...fields,
  };
}

export function inAppRow({ workspaceId, keyId }: Workspace, fields: Row = {}): Row {
  return {
    workspace_id: workspaceId,
    sdk_key_id: keyId,
    campaign_id: REPORTED_CAMPAIGN_ID,
    event_type: 'impression',
    event_key: randomUUID(),
    user_id: 'user-1',
    platform: 'web',
    received_at: new Date().toISOString(),
    ...fields,
  };
}

export function responseRow({ workspaceId, keyId }: Workspace, fields: Row = {}): Row {
  return {
    workspace_id: workspaceId,
    sdk_key_id: keyId,
    campaign_id: REPORTED_CAMPAIGN_ID,
    response_type: 'nps',
    response_key: randomUUID(),
    platform: 'web',
    user_id: 'user-1',
    payload: '{"score":9}',
    score_text: '9',
    received_at: new Date().toISOString(),
    ...fields,
  };
}

export function deliveryRow({ workspaceId }: Workspace, fields: Row = {}): Row {
  return {
    workspace_id: workspaceId,
    channel: 'push',
    delivery_id: randomUUID(),
    status: 'shown',
    rank: 1,
    event_type: 'shown',
    platform: 'web',
    campaign_id: REPORTED_CAMPAIGN_ID,
    user_id: 'user-1',
    received_at: new Date().toISOString(),
    ...fields,
  };
}

export function cardRow({ workspaceId }: Workspace, fields: Row = {}): Row {
  return {
    workspace_id: workspaceId,
    card_id: randomUUID(),
    kind: 'push.clicked',
    channel: 'push',
    user_id: 'user-1',
    campaign_id: REPORTED_CAMPAIGN_ID,
    details: '{"title":"Hello"}',
    received_at: new Date().toISOString(),
    ...fields,
  };
}

/** A message that a journey sent. */
export function sendRow({ workspaceId }: Workspace, fields: Row = {}): Row {
  return {
    workspace_id: workspaceId,
    send_id: randomUUID(),
    template_id: randomUUID(),
    channel: 'email',
    reason: 'pin',
    user_id: 'user-1',
    sent_at: new Date().toISOString(),
    ...fields,
  };
}

/** One row of each kind for one person. All text columns contain the tenant's workspace ID. */
export async function insertOneOfEach(tenant: Workspace, userId = 'user-1'): Promise<void> {
  const mark = tenant.workspaceId;
  const person = { user_id: userId, anonymous_id: 'anonymous-1' };
  await insertRows('events_raw', [
    eventRow(tenant, { ...person, event: mark, message_id: mark, properties: `{"of":"${mark}"}` }),
  ]);
  await insertRows('rejected_events_raw', [
    rejectedRow(tenant, { code: `OF_${mark}`, message: mark, body: `{"of":"${mark}"}` }),
  ]);
  await insertRows('in_app_events_raw', [inAppRow(tenant, { ...person, variant_id: mark })]);
  await insertRows('in_app_responses_raw', [
    responseRow(tenant, { user_id: userId, variant_id: mark }),
  ]);
  await insertRows('deliveries_raw', [deliveryRow(tenant, { ...person, message_id: mark })]);
  const link = { workspace_id: mark, delivery_id: randomUUID(), person_delivery_id: mark };
  await insertRows('delivery_links_raw', [link]);
  await insertRows('activity_cards_raw', [cardRow(tenant, { ...person, message_id: mark })]);
  await insertRows('send_audits_raw', [sendRow(tenant, { user_id: userId, node_id: mark })]);
}

/**
 * Queries as a member of the tenant, expects no errors, and returns the first field of the
 * response.
 */
export async function reportOf<T>(
  api: Api,
  tenant: Tenant,
  document: string,
  variables: Readonly<Record<string, unknown>>,
): Promise<T> {
  const token = await tokenFor(tenant.organizationId, { roles: ['member'] });
  const answer = await api.graphql(document, { token, variables });
  expect(answer.errors, answer.text).toBeUndefined();
  return Object.values(answer.data!)[0] as T;
}

const HOUR_MS = 3_600_000;

/** From this number of hours ago until an hour from now. */
export function lastHours(hours: number): { from: string; to: string } {
  return {
    from: new Date(Date.now() - hours * HOUR_MS).toISOString(),
    to: new Date(Date.now() + HOUR_MS).toISOString(),
  };
}
