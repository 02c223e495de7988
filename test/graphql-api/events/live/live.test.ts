// The live view, end to end: ingest, the control plane and Postgres as real processes.

import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { encodeNodeId } from '../../../../graphql-api/platform/graph/node-id.ts';
import { eventText } from '../../../harness/batch.ts';
import {
  type EventStream,
  itemOf,
  openStream,
  type StreamItem,
} from '../../../harness/event-stream.ts';
import { eventually } from '../../../harness/eventually.ts';
import { keepAlive, send } from '../../../harness/http.ts';
import type { IngestProcess } from '../../../harness/ingest-process.ts';
import { sql } from '../../../harness/tenant.ts';
import type { TestReceiver } from '../../../harness/webhook-receiver.ts';
import type { ApiProcess } from '../../harness/api-process.ts';
import { tokenFor } from '../../harness/tokens.ts';
import { isCounts, isOfMessage, LIVE, liveStreams, startLive, sumOf } from './live-streams.ts';

let ingest: IngestProcess;
let api: ApiProcess;
let receiver: TestReceiver;
let databaseUrl: string;
beforeAll(async () => {
  ({ ingest, api, receiver, databaseUrl } = await startLive());
});
afterEach(() => {
  if (!api.isRunning()) throw new Error(`the API died:\n${api.logs()}`);
  if (!ingest.isRunning()) throw new Error(`ingest died:\n${ingest.logs()}`);
});
afterAll(async () => {
  for (const stream of streams) stream.close();
  await Promise.all([api?.stop(), ingest?.stop(), receiver?.stop()]);
});

const { streams, createTenant, watch, post, refusedWith } = liveStreams(() => ({
  api,
  ingest,
  databaseUrl,
}));

describe.concurrent('what is shown', () => {
  test('accepted and rejected events, as sent, and their counts', async () => {
    const tenant = await createTenant();
    const stream = await watch(tenant);
    expect(stream.headers).toMatchObject({
      'content-type': expect.stringContaining('text/event-stream'),
      'x-accel-buffering': 'no',
      'cache-control': 'no-store',
    });
    const [good, bad, long] = [randomUUID(), randomUUID(), randomUUID()];
    const properties = `{"total": 49.90, "big": 12345678901234567890}`;
    const event = eventText({ messageId: `"${good}"`, userId: '"ann"', properties });
    const refused = eventText({ messageId: `"${bad}"`, timestamp: '"yesterday"' });
    const longOne = eventText({
      messageId: `"${long}"`,
      properties: `{"a": "${'é'.repeat(4_500)}", "b": "${'é'.repeat(4_500)}"}`,
    });
    const startedAtMs = Date.now();
    await post(tenant, [event, event, refused, longOne]);
    expect(await itemOf(stream, isOfMessage(good))).toEqual({
      __typename: 'LiveEvent',
      receivedAt: expect.any(String),
      endpoint: '/v1/batch',
      sdkKeyId: encodeNodeId('SdkKey', tenant.keyId),
      type: 'track',
      name: 'Order Completed',
      messageId: good,
      userId: 'ann',
      anonymousId: 'anonymous-1',
      body: event,
      isBodyCut: false,
      bodyBytes: Buffer.byteLength(event),
    });
    expect(await itemOf(stream, isOfMessage(bad))).toMatchObject({
      __typename: 'LiveRejectedEvent',
      code: 'INVALID_TIMESTAMP',
      batchIndex: 2,
      body: refused,
    });
    const { body, isBodyCut, bodyBytes } = await itemOf(stream, isOfMessage(long));
    expect({ isBodyCut, bodyBytes }).toEqual({
      isBodyCut: true,
      bodyBytes: Buffer.byteLength(longOne),
    });
    expect(longOne.startsWith(String(body)), 'cut between two characters').toBe(true);
    await eventually(() => {
      const counts = ['accepted', 'duplicates', 'rejected', 'notShown'].map(name =>
        sumOf(stream, name),
      );
      expect(counts).toEqual([3, 1, 1, 0]);
    });
    const shownAtMs = Date.parse(String((await itemOf(stream, isOfMessage(good))).receivedAt));
    expect(shownAtMs).toBeGreaterThanOrEqual(startedAtMs);
  });

  test('reports on campaigns and pushes', async () => {
    const tenant = await createTenant();
    const stream = await watch(tenant, { kinds: ['EVENT', 'REJECTED_EVENT', 'COUNTS'] });
    const report = (body: object) =>
      send(`${ingest.url}/v1/in_app/events`, {
        headers: { 'content-type': 'application/json', 'x-service-write-key': tenant.writeKey },
        body: JSON.stringify(body),
      });
    const known = { campaign_id: 'c-1', event_type: 'impression', user_id: 'ann' };
    expect((await report(known)).status).toBe(200);
    expect((await report({ ...known, event_type: 'stared at' })).status).toBe(400);
    const is = (name: string) => (item: StreamItem) => item.__typename === name;
    expect(await itemOf(stream, is('LiveEvent'))).toMatchObject({
      endpoint: '/v1/in_app/events',
      type: 'impression',
      name: 'c-1',
      userId: 'ann',
      body: JSON.stringify(known),
    });
    expect(await itemOf(stream, is('LiveRejectedEvent'))).toMatchObject({
      code: 'NOT_IN_APP_FEEDBACK',
    });
  });

  test('payment gateway events, and the webhooks that they cause', async () => {
    const tenant = await createTenant();
    const [stream, deliveries] = [
      await watch(tenant),
      await watch(tenant, { kinds: ['DELIVERY', 'COUNTS'], type: 'payment.*', code: '204' }),
    ];
    const owner = await tokenFor(tenant.organizationId);
    const created = await api.graphql(
      `mutation ($url: String!) { webhookEndpointCreate(input: { url: $url }) {
        webhookEndpoint { id } userErrors { message } } }`,
      { token: owner, variables: { url: receiver.url } },
    );
    expect(created.text).not.toContain('message');
    const id = randomUUID();
    const body = JSON.stringify({
      type: 'PAYMENT_SUCCESS_WEBHOOK',
      event_time: new Date().toISOString(),
      data: {
        order: { order_id: 'order-1' },
        payment: { cf_payment_id: randomUUID(), payment_status: 'SUCCESS', payment_amount: 12.5 },
        customer_details: { customer_email: 'somebody@example.com' },
      },
    });
    await sql(
      `INSERT INTO gateway_events (id, account_id, event_key, type, family, body, verified_field,
         verified_generation, received_at, next_attempt_at, workspace_id)
       VALUES ($1::uuid, $2, $1::text, 'PAYMENT_SUCCESS_WEBHOOK', 'payment', convert_to($3, 'UTF8'),
         'webhook_secret', 'CURRENT', now(), now(), $2)`,
      [id, tenant.workspaceId, body],
      databaseUrl,
    );
    const isTold = ({ state }: StreamItem) => state === 'PROCESSED';
    expect(await itemOf(stream, isTold)).toMatchObject({
      __typename: 'LiveGatewayEvent',
      id: encodeNodeId('GatewayEvent', id),
      gatewayType: 'PAYMENT_SUCCESS_WEBHOOK',
      effects: ['payment.succeeded'],
    });
    const isDelivery = ({ __typename }: StreamItem) => __typename === 'LiveDelivery';
    for (const one of [stream, deliveries])
      expect(await itemOf(one, isDelivery)).toMatchObject({
        eventType: 'payment.succeeded',
        deliveryState: 'DELIVERED',
        outcome: 'DELIVERED',
        status: 204,
        attempt: 1,
        isTest: false,
      });
    await eventually(() => expect(sumOf(stream, 'deliveries')).toBe(1));
    expect(stream.items.filter(isDelivery)).toHaveLength(1);
    expect(stream.text()).not.toContain('somebody@example.com');
  });

  test('only items that match the filters', async () => {
    const tenant = await createTenant();
    const byUser = await watch(tenant, { user: 'ann' });
    const byName = await watch(tenant, { name: 'Cart*', kinds: ['EVENT', 'COUNTS'] });
    const byCode = await watch(tenant, { code: 'MISSING_FIELD' });
    const byType = await watch(tenant, { type: 'page' });
    await post(tenant, [
      eventText({ event: '"Cart Viewed"', userId: '"ann"' }),
      eventText({ event: '"Cart Left"', userId: '"bob"', sessionId: undefined }),
      eventText({ event: '"Cart Left"', anonymousId: '"ann"' }),
      eventText({ type: '"page"', event: undefined, name: '"Home"' }),
    ]);
    const all = await watch(tenant);
    await post(tenant, [eventText({ event: '"Last"' })]);
    await itemOf(all, ({ name }) => name === 'Last');
    await eventually(() => {
      const namesOf = ({ items }: EventStream) =>
        items.filter(item => !isCounts(item)).map(({ name }) => name);
      expect(namesOf(byUser)).toEqual(['Cart Viewed', 'Cart Left']);
      expect(namesOf(byName)).toEqual(['Cart Viewed', 'Cart Left']);
      expect(namesOf(byCode)).toEqual(['Cart Left']);
      expect(namesOf(byType)).toEqual(['Home']);
    });
    await eventually(() => {
      for (const stream of [byUser, byName, byCode, byType]) {
        expect(sumOf(stream, 'accepted')).toBe(4);
        expect(sumOf(stream, 'rejected')).toBe(1);
      }
    });
  });
});

describe.concurrent('tenants, tokens and limits', () => {
  test('another workspace sees nothing', async () => {
    const [mine, other] = [await createTenant(), await createTenant()];
    const [stream, others] = [await watch(mine), await watch(other)];
    const [id, theirs] = [randomUUID(), randomUUID()];
    await post(mine, [eventText({ messageId: `"${id}"` })]);
    await post(other, [eventText({ messageId: `"${theirs}"` })]);
    await itemOf(stream, isOfMessage(id));
    await itemOf(others, isOfMessage(theirs));
    await eventually(() => expect(sumOf(others, 'accepted')).toBe(1));
    for (const secret of [id, mine.keyId, mine.workspaceId])
      expect(others.text()).not.toContain(secret);
  });

  test('a subscription needs a token, a role and a workspace', async () => {
    const tenant = await createTenant();
    expect(await refusedWith(undefined)).toMatchObject({ code: 'UNAUTHENTICATED' });
    const stranger = await tokenFor(tenant.organizationId, { roles: [] });
    expect(await refusedWith(stranger)).toMatchObject({ code: 'FORBIDDEN' });
    const nowhere = await tokenFor(randomUUID());
    expect(await refusedWith(nowhere)).toMatchObject({ reason: 'WORKSPACE_REQUIRED' });
    const token = await tokenFor(tenant.organizationId);
    const nul = 'subscription { live(name: "\\u0000") { __typename } }';
    expect(await refusedWith(token, nul)).toMatchObject({ code: 'BAD_USER_INPUT' });
    const headers = { accept: 'application/json' };
    const plain = await api.graphql(LIVE, { token, headers });
    expect(plain.errors?.[0]?.message, 'JSON does not go on').toContain('text/event-stream');
  });

  test('it ends with its token', async () => {
    const tenant = await createTenant();
    // Enough time for a busy machine to open the stream.
    const token = await tokenFor(tenant.organizationId, { ttlSeconds: 8 });
    const stream = await openStream(api.url, LIVE, { token });
    streams.push(stream);
    expect(stream.end).toBeUndefined();
    await eventually(() => expect(stream.end).toBe('complete'), { intervalMs: 20 });
    expect(stream.status).toBe(200);
  });

  test('a workspace has no more than 20', async () => {
    const tenant = await createTenant();
    const token = await tokenFor(tenant.organizationId);
    const all = await Promise.all(Array.from({ length: 20 }, () => watch(tenant, {}, token)));
    const refusal = await refusedWith(token);
    expect(refusal).toMatchObject({ code: 'THROTTLED', reason: 'TOO_MANY_LIVE_VIEWS' });
    all[0]!.close();
    await eventually(async () => void (await watch(tenant, {}, token)));
  });
});

test('under load, a sample is shown and all events are counted', async () => {
  const tenant = await createTenant();
  const stream = await watch(tenant);
  const agent = keepAlive(4);
  let [accepted, rejected] = [0, 0];
  for (let round = 0; round < 8; round++) {
    const batches = Array.from({ length: 4 }, () =>
      Array.from({ length: 100 }, (_, i) =>
        eventText(i % 4 === 0 ? { timestamp: '"soon"' } : { userId: `"user-${round}"` }),
      ),
    );
    const answers = await Promise.all(batches.map(events => post(tenant, events, agent)));
    for (const answer of answers) {
      const said = answer.json() as { accepted: number; rejected: unknown[] };
      accepted += said.accepted;
      rejected += said.rejected.length;
    }
  }
  agent.destroy();
  await eventually(() => {
    expect(sumOf(stream, 'accepted')).toBe(accepted);
    expect(sumOf(stream, 'rejected')).toBe(rejected);
  });
  const shown = stream.items.filter(item => !isCounts(item));
  expect(sumOf(stream, 'notShown')).toBe(accepted + rejected - shown.length);
  expect(sumOf(stream, 'notShown')).toBeGreaterThan(0);
  const kinds = new Set(shown.map(({ __typename }) => __typename));
  expect(kinds).toEqual(new Set(['LiveEvent', 'LiveRejectedEvent']));
});
