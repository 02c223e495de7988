import { v7 as uuidv7 } from 'uuid';
import { expect } from 'vitest';
import { eventually } from '../../harness/eventually.ts';
import { sql, type Tenant } from '../../harness/tenant.ts';
import type { TestReceiver } from '../../harness/webhook-receiver.ts';
import { ask, mutate } from '../harness/mutate.ts';
import type { Scene, WebhookApi } from './webhook-api.ts';

/** Changes endpoints over GraphQL, and follows their deliveries. */
export function endpointActions({ api, databaseUrl }: WebhookApi) {
  const ownerOf = (tenant: Tenant) => ({ api: api(), tenant });

  const memberOf = (tenant: Tenant) => ({ api: api(), tenant, role: 'member' }) as const;

  async function create(
    { tenant, receiver }: Scene,
    input: Fields = {},
  ): Promise<{ webhookEndpoint: Endpoint; secret: string }> {
    const args = { input: { url: receiver.url, ...input } };
    return mutate(
      ownerOf(tenant),
      'webhookEndpointCreate',
      args,
      `secret webhookEndpoint ${ENDPOINT}`,
    );
  }

  async function change(
    tenant: Tenant,
    name: string,
    id: string,
    input?: Fields,
  ): Promise<Endpoint> {
    const args = { id, ...(input && { input }) };
    const shown = `webhookEndpoint ${ENDPOINT}`;
    return (await mutate<{ webhookEndpoint: Endpoint }>(ownerOf(tenant), name, args, shown))
      .webhookEndpoint;
  }

  /** Triggers an outbound event in the workspace; returns its ID. */
  async function happen({ workspaceId }: Tenant, type: string): Promise<string> {
    const id = uuidv7();
    await sql(
      `INSERT INTO outbound_events (id, workspace_id, type, payload, occurred_at)
     VALUES ($1, $2, $3, $4, '2026-11-21T09:30:00.125Z')`,
      [id, workspaceId, type, JSON.stringify({ person: `of-${workspaceId}` })],
      databaseUrl(),
    );
    return id;
  }

  async function deliveries(tenant: Tenant, filter = ''): Promise<readonly Delivery[]> {
    const list = `{ webhookDeliveries(first: 50${filter}) { nodes ${DELIVERY} } }`;
    const shown = await ask<{ webhookDeliveries: { nodes: Delivery[] } }>(memberOf(tenant), list);
    return shown.webhookDeliveries.nodes;
  }

  function untilDelivery(tenant: Tenant, eventId: string, expected: Fields): Promise<Delivery> {
    return eventually(async () => {
      const found = (await deliveries(tenant)).find(delivery => delivery.eventId === eventId);
      expect(found).toMatchObject(expected);
      return found!;
    });
  }
  return { ownerOf, memberOf, create, change, happen, deliveries, untilDelivery };
}

export type Endpoint = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly version: number;
};

export type Delivery = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly state: string;
};

export type Fields = Readonly<Record<string, unknown>>;

export const ENDPOINT = `{ id url description eventTypes state disabledReason disabledAt failingSince
  lastSuccessAt secretSetAt previousSecretUntil version
  lastDay { since delivered failed pending retrying cancelled } }`;

export const DELIVERY = `{ id endpoint { id } eventId eventType body isTest state attemptCount lastOutcome
  lastStatus lastLatencyMs nextAttemptAt finishedAt
  attempts { number cause attemptedAt outcome status latencyMs reason } }`;

export function untilReceived({ received }: TestReceiver, count: number) {
  return eventually(() => {
    expect(received.length).toBeGreaterThanOrEqual(count);
    return received.slice(0, count);
  });
}
