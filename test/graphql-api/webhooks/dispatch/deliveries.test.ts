// From an outbound event to its webhooks: with the sender of every API process, and receivers of
// all kinds.

import { describe, expect, test } from 'vitest';
import {
  dueEndpoints,
  FROM_THE_START,
} from '../../../../graphql-api/webhooks/dispatch/claim-deliveries.ts';
import { CONNECTIONS_MAX } from '../../../../graphql-api/webhooks/dispatch/endpoint-pace.ts';
import { newWebhookSecret } from '../../../../graphql-api/webhooks/signature.ts';
import { eventually } from '../../../harness/eventually.ts';
import { idsOf, receiverOf, useDeliveries, verified } from './delivery-checks.ts';
import { addSecret, deliveryScene } from './delivery-scene.ts';
import { httpReceiver } from './hostile-servers.ts';

const { scene, untilState, endpointRow } = useDeliveries();

describe.concurrent('recipients of an event', () => {
  test('are all endpoints that subscribe to the type, once each, with the event’s ID', async () => {
    const tenant = await scene().createTenant();
    const other = await scene().createTenant();
    const [all, exact, family, none, foreign] = await Promise.all([
      receiverOf(200),
      receiverOf(200),
      receiverOf(200),
      receiverOf(200),
      receiverOf(200),
    ]);
    const receivers = [all, exact, family, none];
    const choices = [[], ['payment.failed'], ['payment.*'], ['payment_link.*']];
    const endpoints = await Promise.all(
      choices.map((eventTypes, index) =>
        scene().addEndpoint(tenant, `${receivers[index]!.url}/in?a=b`, { eventTypes }),
      ),
    );
    await scene().addEndpoint(other, foreign.url);
    const ids = await scene().addEvents(tenant, [
      'payment.failed',
      'payment.succeeded',
      'order.paid',
    ]);

    await untilState(endpoints[0]!, ['DELIVERED', 'DELIVERED', 'DELIVERED']);
    await untilState(endpoints[1]!, ['DELIVERED']);
    await untilState(endpoints[2]!, ['DELIVERED', 'DELIVERED']);
    expect(idsOf(all).toSorted()).toEqual(ids.toSorted());
    expect(idsOf(exact)).toEqual([ids[0]]);
    expect(idsOf(family).toSorted()).toEqual(ids.slice(0, 2).toSorted());
    expect([...none.received, ...foreign.received]).toEqual([]);
    expect(exact.received[0]).toMatchObject({ path: '/in?a=b' });
    expect(verified(endpoints[1]!.secret, exact.received[0]!)).toEqual({
      type: 'payment.failed',
      timestamp: '2026-01-15T12:00:00.500Z',
      data: { number: 1 },
    });
    const [delivery] = await scene().deliveries(endpoints[1]!.id);
    expect(delivery).toMatchObject({ attempts: 1, last_outcome: 'DELIVERED', last_status: 200 });
    expect(await scene().attempts(delivery!.id)).toMatchObject([
      { number: 1, cause: 'SCHEDULED', outcome: 'DELIVERED', status: 200, reason: 'HTTP 200' },
    ]);
    expect((await endpointRow(endpoints[0]!)).last_success_at).not.toBeNull();
  });

  test('receive many events from two senders once each', async () => {
    const tenant = await scene().createTenant();
    const receiver = await receiverOf(200);
    const endpoint = await scene().addEndpoint(tenant, receiver.url);
    const ids = await scene().addEvents(tenant, Array<string>(1_200).fill('order.paid'));
    await untilState(endpoint, Array<string>(1_200).fill('DELIVERED'));
    expect(idsOf(receiver).toSorted()).toEqual(ids.toSorted());
  });

  test('get signatures of both secrets during a rotation, and of the new one afterwards', async () => {
    const tenant = await scene().createTenant();
    const receiver = await receiverOf(200);
    const endpoint = await scene().addEndpoint(tenant, receiver.url);
    const previous = newWebhookSecret();
    const { workspaceId } = tenant;
    const inAnHour = new Date(Date.now() + 3_600_000);
    await addSecret(scene(), {
      id: endpoint.id,
      workspaceId,
      secret: previous,
      expiresAt: inAnHour,
    });
    await scene().addEvents(tenant, ['order.paid']);
    await untilState(endpoint, ['DELIVERED']);
    for (const secret of [endpoint.secret, previous])
      expect(verified(secret, receiver.received[0]!)).toMatchObject({ type: 'order.paid' });

    await scene().query(
      'UPDATE webhook_secrets SET expires_at = now() WHERE endpoint_id = $1 AND generation = $2',
      [endpoint.id, 'PREVIOUS'],
    );
    await scene().addEvents(tenant, ['order.paid']);
    await untilState(endpoint, ['DELIVERED', 'DELIVERED']);
    expect(verified(endpoint.secret, receiver.received[1]!)).toMatchObject({ type: 'order.paid' });
    expect(() => verified(previous, receiver.received[1]!)).toThrow();
  });
});

test('a stopping sender releases its claims, and records interrupted attempts', async () => {
  const own = await deliveryScene();
  let isHolding = false;
  const receiver = await httpReceiver((_request, answer) => {
    if (!isHolding) answer.end();
  });
  const tenant = await own.createTenant();
  const endpoint = await own.addEndpoint(tenant, receiver.url);
  const sender = own.startSender({ timing: { stopGraceMs: 50 } });
  // Sends until the sender is given more deliveries at once than it has connections.
  const quick = await own.addEvents(tenant, Array<string>(100).fill('order.paid'));
  await eventually(() => expect(receiver.received).toHaveLength(quick.length));
  isHolding = true;
  const held = await own.addEvents(tenant, Array<string>(100).fill('order.expired'));
  await eventually(() => expect(receiver.received).toHaveLength(quick.length + CONNECTIONS_MAX));
  await sender.stop();
  const rows = (await own.deliveries(endpoint.id)).filter(row => row.state !== 'DELIVERED');
  expect(rows).toHaveLength(held.length);
  for (const row of rows) expect(row).toMatchObject({ state: 'PENDING', claimed_until: null });
  const begun = rows.filter(({ attempts }) => attempts === 1);
  expect(begun).toHaveLength(CONNECTIONS_MAX);
  for (const row of begun) expect(row).toMatchObject({ last_outcome: 'INTERRUPTED', step: 0 });

  isHolding = false;
  own.startSender();
  await eventually(() => expect(new Set(idsOf(receiver))).toEqual(new Set([...quick, ...held])));
  await own.close();
});

test('a poll for due endpoints continues where the last one ended, until it has covered all endpoints', async () => {
  const tenant = await scene().createTenant();
  const endpoints = await Promise.all(
    Array.from({ length: 3 }, () => scene().addEndpoint(tenant, 'http://127.0.0.1:1/')),
  );
  // Claimed forever, so these deliveries stay due.
  await scene().query(
    `INSERT INTO webhook_deliveries (id, workspace_id, endpoint_id, event_id, event_type,
       next_attempt_at, claimed_until)
     SELECT gen_random_uuid(), $1, id, gen_random_uuid(), 'order.paid', now(), 'infinity'
     FROM unnest($2::uuid[]) AS endpoint (id)`,
    [tenant.workspaceId, endpoints.map(({ id }) => id)],
  );
  const seen: string[] = [];
  let after = FROM_THE_START;
  do {
    const due = await scene().deps.database.asSystem(em => dueEndpoints(em, after, 2));
    seen.push(...due.endpoints.map(({ id }) => id));
    after = due.next;
  } while (after !== FROM_THE_START);
  expect(seen).toEqual(seen.toSorted());
  expect(seen).toEqual(expect.arrayContaining(endpoints.map(({ id }) => id)));
});
