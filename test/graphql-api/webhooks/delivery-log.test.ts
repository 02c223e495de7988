// The log of deliveries: its lists and counts, and that it has no secrets.

import { expect, test } from 'vitest';
import { decodeNodeId } from '../../../graphql-api/platform/graph/node-id.ts';
import { sql } from '../../harness/tenant.ts';
import { ANSWER_TEXT } from '../../harness/webhook-receiver.ts';
import { ask } from '../harness/mutate.ts';
import { tokenFor } from '../harness/tokens.ts';
import { endpointActions, type Fields } from './endpoint-actions.ts';
import { useWebhookApi } from './webhook-api.ts';

const webhooks = useWebhookApi();
const { api, databaseUrl, scene } = webhooks;
const { memberOf, create, change, happen, deliveries, untilDelivery } = endpointActions(webhooks);

test('lists are filtered, and paged by keyset', async () => {
  const { tenant, receiver } = await scene();
  const asked = await create({ tenant, receiver }, { eventTypes: ['vendor.*'] });
  const endpointId = decodeNodeId(asked.webhookEndpoint.id).id;
  await sql(
    `INSERT INTO webhook_deliveries (id, workspace_id, endpoint_id, event_id, event_type, state,
       attempts, last_outcome, created_at, finished_at)
     SELECT gen_random_uuid(), $1, CASE WHEN n < 5 THEN $2::uuid ELSE gen_random_uuid() END,
       gen_random_uuid(), (ARRAY['payment.failed', 'payment_link.paid'])[1 + n % 2],
       (ARRAY['FAILED', 'DELIVERED'])[1 + n % 2], 1, (ARRAY['TIMED_OUT', 'DELIVERED'])[1 + n % 2],
       timestamptz '2026-01-01' + n * interval '1 hour', now()
     FROM generate_series(0, 6) AS n`,
    [tenant.workspaceId, endpointId],
    databaseUrl(),
  );
  const listed = async (filter: string) => (await deliveries(tenant, filter)).length;
  expect(await listed('')).toBe(7);
  expect(await listed(`, endpointId: "${asked.webhookEndpoint.id}"`)).toBe(5);
  expect(await listed(', state: FAILED')).toBe(4);
  expect(await listed(', outcome: DELIVERED')).toBe(3);
  expect(await listed(', eventType: "payment.*"')).toBe(4);
  expect(await listed(', eventType: "payment_link.paid"')).toBe(3);
  expect(await listed(', eventType: "payment.unheard_of"')).toBe(0);
  const day = ', since: "2026-01-01T01:00:00Z", until: "2026-01-01T04:00:00Z"';
  expect(await listed(day)).toBe(3);
  const times: string[] = [];
  let after: string | null = null;
  do {
    const page: Page = await ask(
      memberOf(tenant),
      `query ($after: String) { webhookDeliveries(first: 3, after: $after, state: FAILED) {
        nodes { createdAt } pageInfo { hasNextPage endCursor } } }`,
      { after },
    );
    const { nodes, pageInfo } = page.webhookDeliveries;
    times.push(...nodes.map(({ createdAt }) => createdAt));
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
  } while (after !== null);
  expect(times).toHaveLength(4);
  expect(times).toEqual(times.toSorted().reverse());
});

test('pending deliveries are filtered and counted by whether an attempt failed', async () => {
  const { tenant, receiver } = await scene();
  const { id } = (await create({ tenant, receiver })).webhookEndpoint;
  // Not tried yet, retried, being replayed after a success, and given up.
  await sql(
    `INSERT INTO webhook_deliveries (id, workspace_id, endpoint_id, event_id, event_type, state,
       attempts, last_outcome, next_attempt_at, finished_at)
     SELECT gen_random_uuid(), $1, $2, gen_random_uuid(), type, state, attempts, outcome,
       CASE WHEN state = 'PENDING' THEN now() + interval '1 hour' END,
       CASE WHEN state = 'FAILED' THEN now() END
     FROM (VALUES ('payment.failed', 'PENDING', 0, NULL), ('payment.failed', 'PENDING', 3, 'REFUSED'),
       ('payment.failed', 'PENDING', 1, 'DELIVERED'), ('payment_link.paid', 'FAILED', 9, 'REFUSED'))
       AS delivery (type, state, attempts, outcome)`,
    [tenant.workspaceId, decodeNodeId(id).id],
    databaseUrl(),
  );
  const listed = async (filter: string) => (await deliveries(tenant, filter)).length;
  expect(await listed(', isRetrying: true')).toBe(1);
  expect(await listed(', isRetrying: false')).toBe(3);
  expect(await listed(', isRetrying: false, state: PENDING')).toBe(2);
  expect(await listed(', isRetrying: true, state: FAILED')).toBe(0);
  expect(await listed(', isRetrying: true, outcome: REFUSED')).toBe(1);
  expect(await listed(', isRetrying: true, outcome: TIMED_OUT')).toBe(0);
  const { node } = await ask<{ node: Fields }>(
    memberOf(tenant),
    `query ($id: ID!) { node(id: $id) { ... on WebhookEndpoint {
       lastDay { delivered failed pending retrying cancelled } } } }`,
    { id },
  );
  expect(node.lastDay).toEqual({ delivered: 0, failed: 1, pending: 3, retrying: 1, cancelled: 0 });
});

type Page = {
  readonly webhookDeliveries: {
    readonly nodes: readonly { readonly createdAt: string }[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
  };
};

test('secrets and text from receivers appear nowhere', async () => {
  const { tenant, receiver } = await scene();
  receiver.answer(503);
  const { webhookEndpoint, secret } = await create({ tenant, receiver });
  const { id } = webhookEndpoint;
  const token = await tokenFor(tenant.organizationId);
  const rotated = await api().graphql(
    `mutation { webhookSecretRotate(id: "${id}", input: {}) @idempotent(key: "rotated") { secret } }`,
    { token },
  );
  const next = (rotated.data!.webhookSecretRotate as { secret: string }).secret;
  const moved = `${receiver.url}&more`;
  await change(tenant, 'webhookEndpointUpdate', id, { version: 2, url: moved });
  const eventId = await happen(tenant, 'payment.succeeded');
  await untilDelivery(tenant, eventId, { attemptCount: 1, lastStatus: 503 });
  const stored = await sql(
    `SELECT to_jsonb(secret)::text AS text FROM webhook_secrets secret WHERE workspace_id = $1
     UNION ALL SELECT to_jsonb(delivery)::text FROM webhook_deliveries delivery WHERE workspace_id = $1
     UNION ALL SELECT to_jsonb(attempt)::text FROM webhook_attempts attempt WHERE workspace_id = $1
     UNION ALL SELECT to_jsonb(record)::text FROM idempotency_records record WHERE organization_id = $2
     UNION ALL SELECT to_jsonb(entry)::text FROM audit_log entry WHERE organization_id = $2`,
    [tenant.workspaceId, tenant.organizationId],
    databaseUrl(),
  );
  const written = stored.map(row => row.text as string);
  const audited = written.filter(text => text.includes('"webhook_endpoint.'));
  expect(audited).toHaveLength(3);
  const shown = JSON.stringify(await deliveries(tenant));
  for (const text of [...written, shown, api().logs()])
    for (const hidden of [secret, next, ANSWER_TEXT]) expect(text).not.toContain(hidden);
  // The path of a webhook URL often contains a credential.
  for (const text of [...audited, api().logs()]) expect(text).not.toContain('of-the-path');
});
