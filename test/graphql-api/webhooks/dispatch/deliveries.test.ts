// From an outbound event to its webhooks: with the sender of every API process, and receivers of
// all kinds.

import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  cancelDeliveries,
  dueEndpoints,
  FROM_THE_START,
} from '../../../../graphql-api/webhooks/dispatch/claim-deliveries.ts';
import {
  CONNECTIONS_MAX,
  FIRST_PACE,
} from '../../../../graphql-api/webhooks/dispatch/endpoint-pace.ts';
import {
  countReplay,
  queueReplay,
  queueReplayOf,
} from '../../../../graphql-api/webhooks/dispatch/queue-replay.ts';
import { queueTest } from '../../../../graphql-api/webhooks/dispatch/queue-test.ts';
import { newWebhookSecret } from '../../../../graphql-api/webhooks/signature.ts';
import { eventually } from '../../../harness/eventually.ts';
import type { Tenant } from '../../../harness/tenant.ts';
import { addSecret, type DeliveryScene, deliveryScene, type Endpoint } from './delivery-scene.ts';
import { httpReceiver, type Received, type Receiver } from './hostile-servers.ts';

let scene: DeliveryScene;
beforeAll(async () => {
  scene = await deliveryScene();
  // Two senders, like two processes: neither sends deliveries that the other has claimed.
  for (let number = 0; number < 2; number++) scene.startSender({ timing: { stopGraceMs: 100 } });
});
afterAll(() => scene.close());

/** A receiver that responds with this status, which the test may change. */
async function receiverOf(status: number, headers: Record<string, string> = {}) {
  const now = { status, headers };
  const receiver = await httpReceiver((_request, answer) => {
    answer.writeHead(now.status, now.headers).end('what nobody is to see');
  });
  return Object.assign(receiver, { now });
}

function verified(secret: string, { body, headers }: Received): unknown {
  return new Webhook(secret).verify(body, headers as Record<string, string>);
}

const idsOf = ({ received }: Receiver) =>
  received.map(({ headers }) => String(headers['webhook-id']));

async function untilState(endpoint: Endpoint, states: readonly string[]) {
  return eventually(async () => {
    const rows = await scene.deliveries(endpoint.id);
    expect(rows.map(({ state }) => state)).toEqual(states);
    return rows;
  });
}

async function endpointRow({ id }: Endpoint) {
  return (await scene.query('SELECT * FROM webhook_endpoints WHERE id = $1', [id]))[0]!;
}

function untilAttempted(endpoint: Endpoint, attempts: number) {
  return eventually(async () => {
    const [row] = await scene.deliveries(endpoint.id);
    expect(row).toMatchObject({ attempts, claimed_until: null });
    return row!;
  });
}

describe.concurrent('recipients of an event', () => {
  test('are all endpoints that subscribe to the type, once each, with the event’s ID', async () => {
    const tenant = await scene.createTenant();
    const other = await scene.createTenant();
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
        scene.addEndpoint(tenant, `${receivers[index]!.url}/in?a=b`, { eventTypes }),
      ),
    );
    await scene.addEndpoint(other, foreign.url);
    const ids = await scene.addEvents(tenant, [
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
    const [delivery] = await scene.deliveries(endpoints[1]!.id);
    expect(delivery).toMatchObject({ attempts: 1, last_outcome: 'DELIVERED', last_status: 200 });
    expect(await scene.attempts(delivery!.id)).toMatchObject([
      { number: 1, cause: 'SCHEDULED', outcome: 'DELIVERED', status: 200, reason: 'HTTP 200' },
    ]);
    expect((await endpointRow(endpoints[0]!)).last_success_at).not.toBeNull();
  });

  test('receive many events from two senders once each', async () => {
    const tenant = await scene.createTenant();
    const receiver = await receiverOf(200);
    const endpoint = await scene.addEndpoint(tenant, receiver.url);
    const ids = await scene.addEvents(tenant, Array<string>(1_200).fill('order.paid'));
    await untilState(endpoint, Array<string>(1_200).fill('DELIVERED'));
    expect(idsOf(receiver).toSorted()).toEqual(ids.toSorted());
  });

  test('get signatures of both secrets during a rotation, and of the new one afterwards', async () => {
    const tenant = await scene.createTenant();
    const receiver = await receiverOf(200);
    const endpoint = await scene.addEndpoint(tenant, receiver.url);
    const previous = newWebhookSecret();
    const { workspaceId } = tenant;
    const inAnHour = new Date(Date.now() + 3_600_000);
    await addSecret(scene, { id: endpoint.id, workspaceId, secret: previous, expiresAt: inAnHour });
    await scene.addEvents(tenant, ['order.paid']);
    await untilState(endpoint, ['DELIVERED']);
    for (const secret of [endpoint.secret, previous])
      expect(verified(secret, receiver.received[0]!)).toMatchObject({ type: 'order.paid' });

    await scene.query(
      'UPDATE webhook_secrets SET expires_at = now() WHERE endpoint_id = $1 AND generation = $2',
      [endpoint.id, 'PREVIOUS'],
    );
    await scene.addEvents(tenant, ['order.paid']);
    await untilState(endpoint, ['DELIVERED', 'DELIVERED']);
    expect(verified(endpoint.secret, receiver.received[1]!)).toMatchObject({ type: 'order.paid' });
    expect(() => verified(previous, receiver.received[1]!)).toThrow();
  });
});

describe.concurrent('a failed delivery', () => {
  test('is retried by the schedule, with the same ID and a new timestamp', async () => {
    const tenant = await scene.createTenant();
    const receiver = await receiverOf(500);
    const endpoint = await scene.addEndpoint(tenant, receiver.url);
    const [eventId] = await scene.addEvents(tenant, ['order.paid']);
    const first = await untilAttempted(endpoint, 1);
    expect(first).toMatchObject({ state: 'PENDING', step: 1, last_outcome: 'REFUSED' });
    const waitMs = Number(first.next_attempt_at) - Date.now();
    expect(waitMs).toBeLessThanOrEqual(6_000);
    expect((await endpointRow(endpoint)).failing_since).not.toBeNull();

    receiver.now.status = 200;
    await untilState(endpoint, ['DELIVERED']);
    expect(idsOf(receiver)).toEqual([eventId, eventId]);
    const [one, two] = receiver.received;
    expect(two!.body).toBe(one!.body);
    expect(Number(two!.headers['webhook-timestamp'])).toBeGreaterThan(
      Number(one!.headers['webhook-timestamp']),
    );
    expect(verified(endpoint.secret, two!)).toMatchObject({ type: 'order.paid' });
    expect(await scene.attempts(first.id)).toMatchObject([
      { number: 1, outcome: 'REFUSED', status: 500, reason: 'HTTP 500' },
      { number: 2, outcome: 'DELIVERED', status: 200, reason: 'HTTP 200' },
    ]);
    await eventually(async () => expect((await endpointRow(endpoint)).failing_since).toBeNull());
    const told = await scene.query('SELECT * FROM webhook_attempts');
    expect(JSON.stringify(told)).not.toContain('what nobody is to see');
  });

  test('with Retry-After pauses all deliveries of the endpoint for that time', async () => {
    const tenant = await scene.createTenant();
    const receiver = await receiverOf(429, { 'retry-after': '3600' });
    const endpoint = await scene.addEndpoint(tenant, receiver.url);
    await scene.addEvents(tenant, Array<string>(300).fill('order.paid'));
    await eventually(async () => {
      const [row] = await scene.query(
        `SELECT count(*) FILTER (WHERE next_attempt_at > now() + interval '59 minutes')::int AS later,
                count(*) FILTER (WHERE claimed_until IS NOT NULL)::int AS claimed, count(*)::int AS all
         FROM webhook_deliveries WHERE endpoint_id = $1 AND state = 'PENDING'`,
        [endpoint.id],
      );
      expect(row).toMatchObject({ all: 300, claimed: 0 });
      expect(row!.later).toBeGreaterThanOrEqual(1);
    });
    // For both senders: the requests in progress when the first 429 arrived.
    expect(receiver.received.length).toBeLessThanOrEqual(32);
  });

  test('is FAILED after the last attempt, and can be replayed', async () => {
    const tenant = await scene.createTenant();
    const receiver = await receiverOf(503);
    const endpoint = await scene.addEndpoint(tenant, receiver.url);
    await scene.addEvents(tenant, ['order.paid']);
    const { id } = await untilAttempted(endpoint, 1);
    await scene.query(
      `UPDATE webhook_deliveries SET step = 9, next_attempt_at = now() WHERE id = $1`,
      [id],
    );
    const [failed] = await untilState(endpoint, ['FAILED']);
    expect(failed).toMatchObject({ attempts: 2, next_attempt_at: null });

    receiver.now.status = 202;
    const replayed = await scene.deps.database.asTenant(tenant.organizationId, em =>
      queueReplayOf(em, tenant.workspaceId, [String(id)]),
    );
    expect(replayed).toEqual([id]);
    await untilState(endpoint, ['DELIVERED']);
    expect(await scene.attempts(id)).toMatchObject([
      { cause: 'SCHEDULED' },
      { cause: 'SCHEDULED' },
      { cause: 'REPLAY', outcome: 'DELIVERED', status: 202 },
    ]);
  });

  test.each([
    [{ status: 410 }, 'GONE', {}],
    [{ status: 500 }, 'FAILING', { failingDays: 6 }],
  ] as const)('with %o disables the endpoint: %s', async ({ status }, reason, options) => {
    const tenant = await scene.createTenant();
    const [receiver, other] = [await receiverOf(status), await receiverOf(200)];
    const endpoint = await scene.addEndpoint(tenant, receiver.url, options);
    const beside = await scene.addEndpoint(tenant, other.url);
    await scene.addEvents(tenant, ['order.paid']);
    await eventually(async () =>
      expect(await endpointRow(endpoint)).toMatchObject({
        state: 'AUTO_DISABLED',
        disabled_reason: reason,
        version: 2,
      }),
    );
    // Other endpoints are notified. New deliveries to this one are cancelled, and can be replayed.
    await untilState(beside, ['DELIVERED', 'DELIVERED']);
    expect(other.received.map(request => verified(beside.secret, request))).toContainEqual({
      type: 'endpoint.disabled',
      timestamp: expect.any(String) as string,
      data: expect.objectContaining({ endpoint_id: endpoint.id, reason }) as object,
    });
    await scene.addEvents(tenant, ['order.expired']);
    await eventually(async () => {
      // A delivery that failed before is cancelled when its next attempt is due.
      await scene.makeDue(endpoint.id);
      const found = await scene.deliveries(endpoint.id);
      expect(found.at(-1)).toMatchObject({ event_type: 'order.expired', state: 'CANCELLED' });
      expect(found.filter(({ state }) => state === 'PENDING')).toEqual([]);
    });
    expect(receiver.received).toHaveLength(1);
    expect(
      await scene.query('SELECT * FROM audit_log WHERE subject_id = $1', [endpoint.id]),
    ).toMatchObject([{ action: 'webhook_endpoint.auto_disable', actor_id: 'system' }]);

    await enable(endpoint);
    receiver.now.status = 200;
    await replayFailed(tenant, endpoint);
    await eventually(async () => {
      const states = (await scene.deliveries(endpoint.id)).map(({ state }) => state);
      expect(new Set(states)).toEqual(new Set(['DELIVERED']));
    });
  });

  test('does not delay other endpoints', async () => {
    const tenant = await scene.createTenant();
    const hanging = await httpReceiver(() => undefined);
    const stuck = await Promise.all(
      Array.from({ length: 12 }, (_, number) =>
        scene.addEndpoint(tenant, `${hanging.url}/${number}`, { eventTypes: ['order.paid'] }),
      ),
    );
    const receiver = await receiverOf(200);
    const good = await scene.addEndpoint(tenant, receiver.url, { eventTypes: ['order.expired'] });
    // More than a sender holds at a time.
    await scene.addEvents(tenant, Array<string>(200).fill('order.paid'));
    const ids = stuck.map(({ id }) => id);
    const counts = async () =>
      (
        await scene.query(
          `SELECT count(*)::int AS all, count(*) FILTER (WHERE state = 'PENDING')::int AS pending,
                  count(*) FILTER (WHERE claimed_until IS NOT NULL)::int AS claimed
           FROM webhook_deliveries WHERE endpoint_id = ANY($1::uuid[])`,
          [ids],
        )
      )[0];
    // Each of the two senders tries a few deliveries per endpoint, and no more.
    const held = 2 * 12 * FIRST_PACE.window;
    await eventually(async () => {
      expect(await counts()).toEqual({ all: 2_400, pending: 2_400, claimed: held });
      expect(hanging.received).toHaveLength(held);
    });
    await scene.addEvents(tenant, Array<string>(200).fill('order.expired'));
    await untilState(good, Array<string>(200).fill('DELIVERED'));
    expect(await counts()).toEqual({ all: 2_400, pending: 2_400, claimed: held });
    await scene.query(
      `UPDATE webhook_endpoints SET state = 'DISABLED', disabled_reason = 'BY_OPERATOR',
      disabled_at = now() WHERE id = ANY($1::uuid[])`,
      [ids],
    );
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

async function enable({ id }: Endpoint) {
  await scene.query(
    `UPDATE webhook_endpoints SET state = 'ENABLED', disabled_reason = NULL, disabled_at = NULL,
       failing_since = NULL WHERE id = $1`,
    [id],
  );
}

function replayFailed({ organizationId, workspaceId }: Tenant, { id: endpointId }: Endpoint) {
  const filter = { workspaceId, endpointId, isFailedOnly: true };
  return scene.deps.database.asTenant(organizationId, async em => {
    const { asOf: finishedBefore } = await countReplay(em, filter);
    return queueReplay(em, filter, { finishedBefore, max: 1_000 });
  });
}

test('a poll for due endpoints continues where the last one ended, until it has covered all endpoints', async () => {
  const tenant = await scene.createTenant();
  const endpoints = await Promise.all(
    Array.from({ length: 3 }, () => scene.addEndpoint(tenant, 'http://127.0.0.1:1/')),
  );
  // Claimed forever, so these deliveries stay due.
  await scene.query(
    `INSERT INTO webhook_deliveries (id, workspace_id, endpoint_id, event_id, event_type,
       next_attempt_at, claimed_until)
     SELECT gen_random_uuid(), $1, id, gen_random_uuid(), 'order.paid', now(), 'infinity'
     FROM unnest($2::uuid[]) AS endpoint (id)`,
    [tenant.workspaceId, endpoints.map(({ id }) => id)],
  );
  const seen: string[] = [];
  let after = FROM_THE_START;
  do {
    const due = await scene.deps.database.asSystem(em => dueEndpoints(em, after, 2));
    seen.push(...due.endpoints.map(({ id }) => id));
    after = due.next;
  } while (after !== FROM_THE_START);
  expect(seen).toEqual(seen.toSorted());
  expect(seen).toEqual(expect.arrayContaining(endpoints.map(({ id }) => id)));
});

describe.concurrent('disabled endpoints', () => {
  test('any number of waiting deliveries is canceled before a test is sent', async () => {
    const tenant = await scene.createTenant();
    const receiver = await receiverOf(200);
    const endpoint = await scene.addEndpoint(tenant, receiver.url, { state: 'DISABLED' });
    await scene.query(
      `INSERT INTO webhook_deliveries
         (id, workspace_id, endpoint_id, event_id, event_type, next_attempt_at)
       SELECT gen_random_uuid(), $1, $2, gen_random_uuid(), 'order.paid', now()
       FROM generate_series(1, 2500)`,
      [tenant.workspaceId, endpoint.id],
    );
    await scene.deps.database.asTenant(tenant.organizationId, em =>
      queueTest(em, scene.deps, { id: endpoint.id, workspaceId: tenant.workspaceId }),
    );
    await eventually(async () =>
      expect(
        await scene.query(
          `SELECT state, count(*)::int FROM webhook_deliveries WHERE endpoint_id = $1
           GROUP BY state ORDER BY state`,
          [endpoint.id],
        ),
      ).toEqual([
        { state: 'CANCELLED', count: 2_500 },
        { state: 'DELIVERED', count: 1 },
      ]),
    );
  });

  test('nothing is canceled for an endpoint that was enabled in the meantime', async () => {
    const tenant = await scene.createTenant();
    const { id } = await scene.addEndpoint(tenant, 'http://127.0.0.1:1/');
    await scene.query(
      `INSERT INTO webhook_deliveries
         (id, workspace_id, endpoint_id, event_id, event_type, next_attempt_at)
       VALUES (gen_random_uuid(), $1, $2, gen_random_uuid(), 'order.paid', now() + interval '1 day')`,
      [tenant.workspaceId, id],
    );
    await scene.deps.database.asSystem(em =>
      cancelDeliveries(em, [{ id, state: 'DISABLED', isFailing: false }]),
    );
    expect(await scene.deliveries(id)).toMatchObject([{ state: 'PENDING' }]);
  });

  test('waiting deliveries of a disabled or deleted endpoint are canceled', async () => {
    const tenant = await scene.createTenant();
    const receiver = await receiverOf(500);
    const [disabled, deleted] = [
      await scene.addEndpoint(tenant, receiver.url),
      await scene.addEndpoint(tenant, receiver.url),
    ];
    await scene.addEvents(tenant, ['order.paid']);
    await untilAttempted(disabled, 1);
    await untilAttempted(deleted, 1);
    await scene.query(
      `UPDATE webhook_endpoints SET state = 'DISABLED', disabled_reason = 'BY_OPERATOR',
         disabled_at = now() WHERE id = $1`,
      [disabled.id],
    );
    await scene.query('DELETE FROM webhook_endpoints WHERE id = $1', [deleted.id]);
    for (const endpoint of [disabled, deleted]) {
      await scene.makeDue(endpoint.id);
      await untilState(endpoint, ['CANCELLED']);
    }
    expect(receiver.received).toHaveLength(2);
  });

  test('a test is still sent, once, and does not change the state of the endpoint', async () => {
    const tenant = await scene.createTenant();
    const receiver = await receiverOf(500);
    const endpoint = await scene.addEndpoint(tenant, receiver.url, { state: 'DISABLED' });
    const queued = await scene.deps.database.asTenant(tenant.organizationId, em =>
      queueTest(em, scene.deps, { id: endpoint.id, workspaceId: tenant.workspaceId }),
    );
    const [delivery] = await untilState(endpoint, ['FAILED']);
    expect(delivery).toMatchObject({ id: queued.deliveryId, attempts: 1, is_test: true });
    expect(await scene.attempts(delivery!.id)).toMatchObject([{ cause: 'TEST', status: 500 }]);
    expect(await endpointRow(endpoint)).toMatchObject({ failing_since: null, state: 'DISABLED' });
    expect(verified(endpoint.secret, receiver.received[0]!)).toMatchObject({
      type: 'endpoint.test',
      data: { endpoint_id: endpoint.id },
    });
  });

  test('deliveries wait if the secret cannot be decrypted, and nothing is sent unsigned', async () => {
    const tenant = await scene.createTenant();
    const receiver = await receiverOf(200);
    const endpoint = await scene.addEndpoint(tenant, receiver.url);
    await scene.query(`UPDATE webhook_secrets SET key_id = 'gone' WHERE endpoint_id = $1`, [
      endpoint.id,
    ]);
    await scene.addEvents(tenant, ['order.paid']);
    await eventually(async () => {
      const [row] = await scene.deliveries(endpoint.id);
      expect(row).toMatchObject({ state: 'PENDING', attempts: 0, claimed_until: null });
      expect(Number(row!.next_attempt_at)).toBeGreaterThan(Date.now() + 30_000);
    });
    expect(receiver.received).toEqual([]);
  });

  test('a replay affects only deliveries of the workspace', async () => {
    const [tenant, other] = [await scene.createTenant(), await scene.createTenant()];
    const receiver = await receiverOf(200);
    const endpoint = await scene.addEndpoint(tenant, receiver.url);
    await scene.addEvents(tenant, ['order.paid']);
    const [delivery] = await untilState(endpoint, ['DELIVERED']);
    const ids = [String(delivery!.id)];
    const { organizationId, workspaceId } = other;
    const foreign = await scene.deps.database.asTenant(organizationId, async em => [
      ...(await queueReplayOf(em, workspaceId, ids)),
      ...(await queueReplayOf(em, tenant.workspaceId, ids)),
    ]);
    expect(foreign).toEqual([]);
    const filter = {
      workspaceId: tenant.workspaceId,
      endpointId: endpoint.id,
      isFailedOnly: false,
    };
    const counted = await scene.deps.database.asTenant(organizationId, em =>
      countReplay(em, filter),
    );
    expect(counted.count).toBe(0);
  });
});
