// Webhook endpoints over GraphQL, with a real process and a real receiver.

import { v7 as uuidv7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { decodeNodeId, encodeNodeId } from '../../../graphql-api/platform/graph/node-id.ts';
import { EVENT_TYPES } from '../../../graphql-api/webhooks/event-types.ts';
import { sql } from '../../harness/tenant.ts';
import { verified } from '../../harness/webhook-receiver.ts';
import { ask, mutate, refusals, tryMutation } from '../harness/mutate.ts';
import { tokenFor } from '../harness/tokens.ts';
import {
  DELIVERY,
  type Delivery,
  ENDPOINT,
  type Endpoint,
  endpointActions,
  type Fields,
  untilReceived,
} from './endpoint-actions.ts';
import { useWebhookApi } from './webhook-api.ts';

const webhooks = useWebhookApi();
const { api, databaseUrl, receivers, scene } = webhooks;
const { ownerOf, memberOf, create, change, happen, deliveries, untilDelivery } =
  endpointActions(webhooks);

describe.concurrent('an endpoint', () => {
  test('receives its subscribed event types, signed with the secret that was returned once', async () => {
    const { tenant, receiver } = await scene();
    const chosen = ['payment.*', 'delivery.opened', 'payment.*'];
    const made = await create({ tenant, receiver }, { eventTypes: chosen, description: 'CRM' });
    const { webhookEndpoint, secret } = made;
    const { id } = webhookEndpoint;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(webhookEndpoint).toMatchObject({
      url: receiver.url,
      description: 'CRM',
      eventTypes: ['payment.*', 'delivery.opened'],
      state: 'ENABLED',
      disabledReason: null,
      failingSince: null,
      previousSecretUntil: null,
      version: 1,
      lastDay: { delivered: 0, failed: 0, pending: 0, retrying: 0, cancelled: 0 },
    });

    const tested = await mutate<{ webhookDelivery: Delivery }>(
      ownerOf(tenant),
      'webhookEndpointTest',
      { id },
      `webhookDelivery ${DELIVERY}`,
    );
    expect(tested.webhookDelivery).toMatchObject({ isTest: true, eventType: 'endpoint.test' });
    const [trial] = await untilReceived(receiver, 1);
    expect(trial!.id).toBe(tested.webhookDelivery.eventId);
    expect(trial!.headers['x-request-id']).toMatch(/^[\w.-]{8,64}$/);
    expect(verified(secret, trial!)).toMatchObject({
      type: 'endpoint.test',
      data: { endpoint_id: decodeNodeId(id).id },
    });

    await happen(tenant, 'order.paid');
    const eventId = await happen(tenant, 'payment.succeeded');
    const [, told] = await untilReceived(receiver, 2);
    expect(told!.id).toBe(eventId);
    expect(told!.headers).not.toHaveProperty('x-request-id');
    expect(verified(secret, told!)).toEqual({
      type: 'payment.succeeded',
      timestamp: '2026-11-21T09:30:00.125Z',
      data: { person: `of-${tenant.workspaceId}` },
    });
    const delivery = await untilDelivery(tenant, eventId, { state: 'DELIVERED' });
    expect(delivery).toMatchObject({
      endpoint: { id },
      body: told!.body,
      isTest: false,
      attemptCount: 1,
      lastOutcome: 'DELIVERED',
      lastStatus: 204,
      nextAttemptAt: null,
      attempts: [{ number: 1, cause: 'SCHEDULED', outcome: 'DELIVERED', status: 204 }],
    });
    expect(await deliveries(tenant)).toHaveLength(2);
    const shown = await ask<{ webhookEndpoints: { nodes: Endpoint[] } }>(
      memberOf(tenant),
      `{ webhookEndpoints(first: 20) { nodes ${ENDPOINT} } }`,
    );
    // Without the test.
    expect(shown.webhookEndpoints.nodes).toMatchObject([{ id, lastDay: { delivered: 1 } }]);
  });

  test('gets signatures of two secrets during the overlap, then of the new one', async () => {
    const { tenant, receiver } = await scene();
    const { webhookEndpoint, secret: first } = await create({ tenant, receiver });
    const { id } = webhookEndpoint;
    const rotate = async (overlapSeconds: number) =>
      mutate<{ secret: string; webhookEndpoint: Endpoint }>(
        ownerOf(tenant),
        'webhookSecretRotate',
        { id, input: { overlapSeconds } },
        `secret webhookEndpoint ${ENDPOINT}`,
      );
    const beside = await rotate(3_600);
    expect(beside.webhookEndpoint.version).toBe(2);
    const until = Date.parse(String(beside.webhookEndpoint.previousSecretUntil)) - Date.now();
    expect(until / 1000).toBeGreaterThan(3_000);
    await happen(tenant, 'payment.succeeded');
    const [both] = await untilReceived(receiver, 1);
    for (const secret of [first, beside.secret])
      expect(verified(secret, both!)).toMatchObject({ type: 'payment.succeeded' });

    const alone = await rotate(0);
    expect(alone.webhookEndpoint.previousSecretUntil).toBeNull();
    await happen(tenant, 'payment.failed');
    const [, one] = await untilReceived(receiver, 2);
    expect(verified(alone.secret, one!)).toMatchObject({ type: 'payment.failed' });
    for (const secret of [first, beside.secret])
      expect(() => verified(secret, one!)).toThrow('No matching signature');
  });

  test('that was deleted receives nothing, and its deliveries stay in the log', async () => {
    const { tenant, receiver } = await scene();
    const { id } = (await create({ tenant, receiver })).webhookEndpoint;
    const eventId = await happen(tenant, 'payment.succeeded');
    const { id: deliveryId } = await untilDelivery(tenant, eventId, { state: 'DELIVERED' });
    const gone = await mutate(ownerOf(tenant), 'webhookEndpointDelete', { id }, 'deletedId');
    expect(gone).toMatchObject({ deletedId: id });
    expect(await deliveries(tenant)).toMatchObject([{ id: deliveryId, endpoint: null }]);
    expect(await refusals(ownerOf(tenant), 'webhookEndpointTest', { id })).toEqual([
      'NOT_FOUND id',
    ]);
    const replay = { input: { ids: [deliveryId] } };
    expect(await refusals(ownerOf(tenant), 'webhookDeliveriesReplay', replay)).toEqual([
      'NOT_FOUND input.ids',
    ]);
    const secrets = await sql(
      'SELECT FROM webhook_secrets WHERE workspace_id = $1',
      [tenant.workspaceId],
      databaseUrl(),
    );
    expect(secrets).toEqual([]);
  });
});

describe.concurrent('refused content', () => {
  test('URLs that are not public https URLs', async () => {
    const { tenant } = await scene();
    const refused = (url: string) =>
      refusals(ownerOf(tenant), 'webhookEndpointCreate', { input: { url } });
    for (const url of [
      'http://93.184.216.34/',
      'https://10.1.2.3/',
      'https://169.254.169.254/latest',
      'https://[::ffff:10.0.0.1]/',
      'https://user:password@93.184.216.34/',
      'https://93.184.216.34:8443/',
      'https://nobody.invalid/',
      'ftp://93.184.216.34/',
      'hooks',
    ])
      expect(await refused(url), url).toEqual(['WEBHOOK_URL_REFUSED input.url']);
    const { id } = (await create({ tenant, receiver: receivers[0]! })).webhookEndpoint;
    await sql(
      `UPDATE webhook_endpoints SET failing_since = now() - interval '4 days' WHERE id = $1`,
      [decodeNodeId(id).id],
      databaseUrl(),
    );
    const spelled = await change(tenant, 'webhookEndpointUpdate', id, {
      version: 1,
      url: ' HTTP://LocalHost:1/a b',
    });
    // Failures of the previous address do not count against the new one.
    expect(spelled).toMatchObject({ url: 'http://localhost:1/a%20b', failingSince: null });
    const moved = { id, input: { version: 2, url: 'https://192.168.0.1/' } };
    expect(await refusals(ownerOf(tenant), 'webhookEndpointUpdate', moved)).toEqual([
      'WEBHOOK_URL_REFUSED input.url',
    ]);
  });

  test('unknown types, outdated versions, invalid ranges', async () => {
    const { tenant, receiver } = await scene();
    const { id } = (await create({ tenant, receiver })).webhookEndpoint;
    const updated = (input: Fields) =>
      refusals(ownerOf(tenant), 'webhookEndpointUpdate', { id, input });
    for (const type of ['payment', 'payment.', 'paid.*', '*', 'payment.unheard_of'])
      expect(await updated({ version: 1, eventTypes: ['payment.*', type] }), type).toEqual([
        'BAD_USER_INPUT input.eventTypes.1',
      ]);
    const chosen = await change(tenant, 'webhookEndpointUpdate', id, {
      version: 1,
      eventTypes: ['refund.*'],
    });
    expect(chosen).toMatchObject({ version: 2, eventTypes: ['refund.*'], url: receiver.url });
    expect(await updated({ version: 1, description: 'x' })).toEqual([
      'WEBHOOK_ENDPOINT_CHANGED input.version',
    ]);
    const replayed = (input: Fields) =>
      refusals(ownerOf(tenant), 'webhookEndpointReplay', { id, input });
    expect(await replayed({ includeDelivered: true })).toEqual(['INVALID_RANGE input.since']);
    const both = { pendingOnly: true, includeDelivered: true, since: '2026-01-02T00:00:00Z' };
    expect(await replayed(both)).toEqual(['BAD_USER_INPUT input.pendingOnly']);
    const [since, until] = ['2026-01-02T00:00:00Z', '2026-01-02T00:00:00Z'];
    expect(await replayed({ since, until })).toEqual(['INVALID_RANGE input.until']);
    const unknown = { input: { ids: [encodeNodeId('WebhookDelivery', uuidv7())] } };
    expect(await refusals(ownerOf(tenant), 'webhookDeliveriesReplay', unknown)).toEqual([
      'NOT_FOUND input.ids',
    ]);
  });

  test('changes by members, and too many endpoints, even concurrently', async () => {
    const { tenant, receiver } = await scene();
    const { id } = (await create({ tenant, receiver })).webhookEndpoint;
    const changes: [string, { id?: string; input?: Fields }][] = [
      ['webhookEndpointCreate', { input: { url: receiver.url } }],
      ['webhookEndpointUpdate', { id, input: { version: 1 } }],
      ['webhookSecretRotate', { id, input: {} }],
      ['webhookEndpointTest', { id }],
      ['webhookEndpointDisable', { id }],
      ['webhookEndpointEnable', { id }],
      ['webhookEndpointReplay', { id, input: {} }],
      ['webhookEndpointDelete', { id }],
    ];
    for (const [name, args] of changes) {
      const answer = await tryMutation(memberOf(tenant), name, args, '__typename');
      expect(answer.errors?.[0]?.extensions?.code, name).toBe('FORBIDDEN');
    }
    await sql(
      `INSERT INTO webhook_endpoints (id, workspace_id, url, created_by)
       SELECT gen_random_uuid(), $1, 'https://example.com/', 'user-of-a-test'
       FROM generate_series(1, 18)`,
      [tenant.workspaceId],
      databaseUrl(),
    );
    const args = { input: { url: receiver.url } };
    const made = await Promise.all(
      Array.from({ length: 3 }, () => refusals(ownerOf(tenant), 'webhookEndpointCreate', args)),
    );
    expect(made.flat()).toEqual(['TOO_MANY_WEBHOOK_ENDPOINTS', 'TOO_MANY_WEBHOOK_ENDPOINTS']);
  });
});

test('with an idempotency key, an endpoint is created once, and its secret is returned again', async () => {
  const { tenant, receiver } = await scene();
  const token = await tokenFor(tenant.organizationId);
  const document = `mutation ($url: String!) {
    webhookEndpointCreate(input: {url: $url}) @idempotent(key: "made-once") {
      secret webhookEndpoint { id } userErrors { code }
    }
  }`;
  const post = () => api().graphql(document, { token, variables: { url: receiver.url } });
  const [first, second] = [await post(), await post()];
  expect(first.data?.webhookEndpointCreate).toMatchObject({ userErrors: [] });
  expect(second.data).toEqual(first.data);
  const other = await api().graphql(document, { token, variables: { url: `${receiver.url}&b` } });
  expect(other.errors?.[0]?.extensions?.reason).toBe('IDEMPOTENCY_KEY_MISMATCH');
});

test('the catalog and the page for receivers list every type', async () => {
  const { tenant } = await scene();
  const { webhookEventTypes } = await ask<{
    webhookEventTypes: { choice: string; types: { type: string }[] }[];
  }>(memberOf(tenant), '{ webhookEventTypes { choice types { type description } } }');
  expect(webhookEventTypes.flatMap(({ types }) => types)).toEqual(EVENT_TYPES);
  expect(webhookEventTypes.map(({ choice }) => choice)).toContain('payment_link.*');
  const page = await api().rest('/docs/webhooks');
  expect(page.status).toBe(200);
  for (const { type } of EVENT_TYPES) expect(page.text).toContain(`<code>${type}</code>`);
  expect(page.text).toContain('5 s, 5 min, 30 min, 2 h');
});
