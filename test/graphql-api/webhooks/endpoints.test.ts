// Webhook endpoints over GraphQL, with a real process and a real receiver. They need their own
// database, because a process of another test would send deliveries too.

import { v7 as uuidv7 } from 'uuid';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { decodeNodeId, encodeNodeId } from '../../../graphql-api/platform/graph/node-id.ts';
import { REPLAY_AT_ONCE_MAX } from '../../../graphql-api/webhooks/dispatch/queue-replay.ts';
import { EVENT_TYPES } from '../../../graphql-api/webhooks/event-types.ts';
import { eventually } from '../../harness/eventually.ts';
import { ownDatabase } from '../../harness/own-database.ts';
import { createTenant, sql, type Tenant } from '../../harness/tenant.ts';
import {
  ANSWER_TEXT,
  startTestReceiver,
  type TestReceiver,
  verified,
} from '../../harness/webhook-receiver.ts';
import { type ApiProcess, startApi } from '../harness/api-process.ts';
import { ask, mutate, refusals, tryMutation } from '../harness/mutate.ts';
import { tokenFor } from '../harness/tokens.ts';

let api: ApiProcess;
let databaseUrl: string;
const receivers: TestReceiver[] = [];
beforeAll(async () => {
  const urls = await ownDatabase();
  databaseUrl = urls.owner;
  api = await startApi({
    env: {
      DATABASE_APP_URL: urls.app,
      DATABASE_SYSTEM_URL: urls.system,
      DATABASE_POOL_MAX: '4',
      LOG_LEVEL: 'trace',
    },
  });
});
afterEach(() => {
  if (!api.isRunning()) throw new Error(`the API died:\n${api.logs()}`);
});
afterAll(async () => {
  await api?.stop();
  for (const receiver of receivers) await receiver.stop();
});

type Scene = { readonly tenant: Tenant; readonly receiver: TestReceiver };
type Endpoint = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly version: number;
};
type Delivery = Readonly<Record<string, unknown>> & { readonly id: string; readonly state: string };
type Fields = Readonly<Record<string, unknown>>;

const ENDPOINT = `{ id url description eventTypes state disabledReason disabledAt failingSince
  lastSuccessAt secretSetAt previousSecretUntil version
  lastDay { since delivered failed pending retrying cancelled } }`;
const DELIVERY = `{ id endpoint { id } eventId eventType body isTest state attemptCount lastOutcome
  lastStatus lastLatencyMs nextAttemptAt finishedAt
  attempts { number cause attemptedAt outcome status latencyMs reason } }`;

async function scene(): Promise<Scene> {
  const receiver = await startTestReceiver();
  receivers.push(receiver);
  return { tenant: await createTenant({ databaseUrl }), receiver };
}

const ownerOf = (tenant: Tenant) => ({ api, tenant });
const memberOf = (tenant: Tenant) => ({ api, tenant, role: 'member' }) as const;

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

async function change(tenant: Tenant, name: string, id: string, input?: Fields): Promise<Endpoint> {
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
    databaseUrl,
  );
  return id;
}

async function deliveries(tenant: Tenant, filter = ''): Promise<readonly Delivery[]> {
  const list = `{ webhookDeliveries(first: 50${filter}) { nodes ${DELIVERY} } }`;
  const shown = await ask<{ webhookDeliveries: { nodes: Delivery[] } }>(memberOf(tenant), list);
  return shown.webhookDeliveries.nodes;
}

function untilReceived({ received }: TestReceiver, count: number) {
  return eventually(() => {
    expect(received.length).toBeGreaterThanOrEqual(count);
    return received.slice(0, count);
  });
}

function untilDelivery(tenant: Tenant, eventId: string, expected: Fields): Promise<Delivery> {
  return eventually(async () => {
    const found = (await deliveries(tenant)).find(delivery => delivery.eventId === eventId);
    expect(found).toMatchObject(expected);
    return found!;
  });
}

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

  test('that failed or was disabled receives missed events by a replay, with the same IDs', async () => {
    const { tenant, receiver } = await scene();
    receiver.answer(500);
    const { id } = (await create({ tenant, receiver })).webhookEndpoint;
    const failed = await happen(tenant, 'payment.succeeded');
    const waiting = await untilDelivery(tenant, failed, { state: 'PENDING', attemptCount: 1 });
    expect(waiting).toMatchObject({
      lastOutcome: 'REFUSED',
      lastStatus: 500,
      nextAttemptAt: expect.any(String),
      attempts: [{ outcome: 'REFUSED', status: 500, reason: 'HTTP 500' }],
    });
    // Prevents a scheduled retry during the test.
    await sql(
      `UPDATE webhook_deliveries SET next_attempt_at = now() + interval '1 hour' WHERE workspace_id = $1`,
      [tenant.workspaceId],
      databaseUrl,
    );
    const disabled = await change(tenant, 'webhookEndpointDisable', id);
    expect(disabled).toMatchObject({
      state: 'DISABLED',
      disabledReason: 'BY_OPERATOR',
      disabledAt: expect.any(String),
      failingSince: expect.any(String),
      version: 2,
    });
    expect(await change(tenant, 'webhookEndpointDisable', id)).toMatchObject({
      disabledAt: disabled.disabledAt,
      version: 2,
    });
    const missed = await happen(tenant, 'payment.failed');
    const { id: missedDelivery } = await untilDelivery(tenant, missed, { state: 'CANCELLED' });
    const one = { input: { ids: [missedDelivery] } };
    const asOwner = ownerOf(tenant);
    const undelivered = { id, input: { includeDelivered: false } };
    for (const [name, args] of [
      ['webhookDeliveriesReplay', one],
      ['webhookEndpointReplay', undelivered],
    ] as const)
      expect(await refusals(asOwner, name, args)).toEqual([
        `WEBHOOK_ENDPOINT_DISABLED ${name === 'webhookDeliveriesReplay' ? 'input.ids' : 'id'}`,
      ]);

    receiver.answer(200);
    expect(await change(tenant, 'webhookEndpointEnable', id)).toMatchObject({
      state: 'ENABLED',
      disabledReason: null,
      disabledAt: null,
      failingSince: null,
      version: 3,
    });
    const before = receiver.received.length;
    // A delivery that waits for its next attempt need not wait any longer.
    const shown = `webhookDeliveries ${DELIVERY}`;
    await mutate(asOwner, 'webhookDeliveriesReplay', { input: { ids: [waiting.id] } }, shown);
    const delivered = await untilDelivery(tenant, failed, { state: 'DELIVERED' });
    expect(delivered.attempts).toMatchObject([
      { number: 2, cause: 'REPLAY', outcome: 'DELIVERED' },
      { number: 1, cause: 'SCHEDULED', outcome: 'REFUSED' },
    ]);
    const replayed = await mutate(asOwner, 'webhookEndpointReplay', undelivered, 'count isByJob');
    expect(replayed).toEqual({ count: 1, isByJob: false, userErrors: [] });
    const [again] = (await untilReceived(receiver, before + 2)).slice(before + 1);
    expect(again!.id).toBe(missed);
    await untilDelivery(tenant, missed, { state: 'DELIVERED' });

    expect(await mutate(asOwner, 'webhookEndpointReplay', undelivered, 'count')).toMatchObject({
      count: 0,
    });
    const since = new Date(Date.now() - 3_600_000).toISOString();
    const all = { id, input: { includeDelivered: true, since } };
    expect(await mutate(asOwner, 'webhookEndpointReplay', all, 'count')).toMatchObject({
      count: 2,
    });
    await untilReceived(receiver, before + 4);
    await untilDelivery(tenant, missed, { state: 'DELIVERED', attemptCount: 2 });
    await mutate(asOwner, 'webhookDeliveriesReplay', one, 'webhookDeliveries { id state }');
    const [last] = (await untilReceived(receiver, before + 5)).slice(-1);
    expect(last!.id).toBe(missed);
  });

  test('that has deliveries waiting for a retry receives each now, once', async () => {
    const { tenant, receiver } = await scene();
    const { id } = (await create({ tenant, receiver })).webhookEndpoint;
    const waiting = REPLAY_AT_ONCE_MAX + 5;
    await sql(
      `WITH event AS (
         INSERT INTO outbound_events (id, workspace_id, type, payload, occurred_at, fanned_out_at)
         SELECT gen_random_uuid(), $1, 'payment.failed', '{}', now(), now()
         FROM generate_series(0, $3) RETURNING id),
       numbered AS (SELECT id, row_number() OVER () = 1 AS is_failed FROM event)
       INSERT INTO webhook_deliveries (id, workspace_id, endpoint_id, event_id, event_type, step,
         attempts, state, next_attempt_at, finished_at)
       SELECT gen_random_uuid(), $1, $2, id, 'payment.failed', 1, 1,
         CASE WHEN is_failed THEN 'FAILED' ELSE 'PENDING' END,
         CASE WHEN NOT is_failed THEN now() + interval '1 hour' END,
         CASE WHEN is_failed THEN now() END
       FROM numbered`,
      [tenant.workspaceId, decodeNodeId(id).id, waiting],
      databaseUrl,
    );
    const standing = () =>
      ask<{ node: Fields }>(
        memberOf(tenant),
        `query ($id: ID!, $now: DateTime) { node(id: $id) { ... on WebhookEndpoint {
           waiting { count nextAttemptAt } all: replayCount new: replayCount(since: $now) } } }`,
        { id, now: new Date(Date.now() + 60_000).toISOString() },
      );
    expect((await standing()).node).toEqual({
      waiting: { count: waiting, nextAttemptAt: expect.any(String) },
      all: waiting + 1,
      new: 0,
    });

    // The second call finds what the first has not queued and the senders have not claimed.
    const args = { id, input: { pendingOnly: true } };
    const replay = () =>
      mutate<{ count: number }>(ownerOf(tenant), 'webhookEndpointReplay', args, 'count');
    const counts = (await Promise.all([replay(), replay()])).map(({ count }) => count);
    expect(Math.max(...counts)).toBe(waiting);
    await eventually(async () =>
      expect((await standing()).node).toEqual({
        waiting: { count: 0, nextAttemptAt: null },
        all: 1,
        new: 0,
      }),
    );
    await eventually(async () => {
      const states = await sql(
        `SELECT state, attempts, count(*)::int FROM webhook_deliveries WHERE workspace_id = $1
         GROUP BY state, attempts ORDER BY count`,
        [tenant.workspaceId],
        databaseUrl,
      );
      expect(states).toEqual([
        { state: 'FAILED', attempts: 1, count: 1 },
        { state: 'DELIVERED', attempts: 2, count: waiting },
      ]);
    });
    expect(receiver.received).toHaveLength(waiting);
    expect(new Set(receiver.received.map(webhook => webhook.id)).size).toBe(waiting);
  });

  test('that missed many events receives them from a job, each once', async () => {
    const { tenant, receiver } = await scene();
    const { id } = (await create({ tenant, receiver })).webhookEndpoint;
    const missed = REPLAY_AT_ONCE_MAX + 5;
    await sql(
      `WITH event AS (
         INSERT INTO outbound_events (id, workspace_id, type, payload, occurred_at, fanned_out_at)
         SELECT gen_random_uuid(), $1, 'payment.failed', '{}', now(), now()
         FROM generate_series(1, $3) RETURNING id)
       INSERT INTO webhook_deliveries
         (id, workspace_id, endpoint_id, event_id, event_type, state, finished_at)
       SELECT gen_random_uuid(), $1, $2, id, 'payment.failed', 'CANCELLED', now() FROM event`,
      [tenant.workspaceId, decodeNodeId(id).id, missed],
      databaseUrl,
    );
    const args = { id, input: { includeDelivered: false } };
    const replay = await mutate(ownerOf(tenant), 'webhookEndpointReplay', args, 'count isByJob');
    expect(replay).toEqual({ count: missed, isByJob: true, userErrors: [] });
    const got = await untilReceived(receiver, missed);
    expect(new Set(got.map(webhook => webhook.id)).size).toBe(missed);
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
      databaseUrl,
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
      databaseUrl,
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
      databaseUrl,
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
  const post = () => api.graphql(document, { token, variables: { url: receiver.url } });
  const [first, second] = [await post(), await post()];
  expect(first.data?.webhookEndpointCreate).toMatchObject({ userErrors: [] });
  expect(second.data).toEqual(first.data);
  const other = await api.graphql(document, { token, variables: { url: `${receiver.url}&b` } });
  expect(other.errors?.[0]?.extensions?.reason).toBe('IDEMPOTENCY_KEY_MISMATCH');
});

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
    databaseUrl,
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
    databaseUrl,
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

test('the catalog and the page for receivers list every type', async () => {
  const { tenant } = await scene();
  const { webhookEventTypes } = await ask<{
    webhookEventTypes: { choice: string; types: { type: string }[] }[];
  }>(memberOf(tenant), '{ webhookEventTypes { choice types { type description } } }');
  expect(webhookEventTypes.flatMap(({ types }) => types)).toEqual(EVENT_TYPES);
  expect(webhookEventTypes.map(({ choice }) => choice)).toContain('payment_link.*');
  const page = await api.rest('/docs/webhooks');
  expect(page.status).toBe(200);
  for (const { type } of EVENT_TYPES) expect(page.text).toContain(`<code>${type}</code>`);
  expect(page.text).toContain('5 s, 5 min, 30 min, 2 h');
});

test('secrets and text from receivers appear nowhere', async () => {
  const { tenant, receiver } = await scene();
  receiver.answer(503);
  const { webhookEndpoint, secret } = await create({ tenant, receiver });
  const { id } = webhookEndpoint;
  const token = await tokenFor(tenant.organizationId);
  const rotated = await api.graphql(
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
    databaseUrl,
  );
  const written = stored.map(row => row.text as string);
  const audited = written.filter(text => text.includes('"webhook_endpoint.'));
  expect(audited).toHaveLength(3);
  const shown = JSON.stringify(await deliveries(tenant));
  for (const text of [...written, shown, api.logs()])
    for (const hidden of [secret, next, ANSWER_TEXT]) expect(text).not.toContain(hidden);
  // The path of a webhook URL often contains a credential.
  for (const text of [...audited, api.logs()]) expect(text).not.toContain('of-the-path');
});
