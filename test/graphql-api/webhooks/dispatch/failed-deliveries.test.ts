// Failed deliveries: when they are retried, and when their endpoint is disabled.

import { describe, expect, test } from 'vitest';
import { FIRST_PACE } from '../../../../graphql-api/webhooks/dispatch/endpoint-pace.ts';
import {
  countReplay,
  queueReplay,
  queueReplayOf,
} from '../../../../graphql-api/webhooks/dispatch/queue-replay.ts';
import { eventually } from '../../../harness/eventually.ts';
import type { Tenant } from '../../../harness/tenant.ts';
import { idsOf, receiverOf, useDeliveries, verified } from './delivery-checks.ts';
import type { Endpoint } from './delivery-scene.ts';
import { httpReceiver } from './hostile-servers.ts';

const { scene, untilState, endpointRow, untilAttempted } = useDeliveries();

describe.concurrent('a failed delivery', () => {
  test('is retried by the schedule, with the same ID and a new timestamp', async () => {
    const tenant = await scene().createTenant();
    const receiver = await receiverOf(500);
    const endpoint = await scene().addEndpoint(tenant, receiver.url);
    const [eventId] = await scene().addEvents(tenant, ['order.paid']);
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
    expect(await scene().attempts(first.id)).toMatchObject([
      { number: 1, outcome: 'REFUSED', status: 500, reason: 'HTTP 500' },
      { number: 2, outcome: 'DELIVERED', status: 200, reason: 'HTTP 200' },
    ]);
    await eventually(async () => expect((await endpointRow(endpoint)).failing_since).toBeNull());
    const told = await scene().query('SELECT * FROM webhook_attempts');
    expect(JSON.stringify(told)).not.toContain('what nobody is to see');
  });

  test('with Retry-After pauses all deliveries of the endpoint for that time', async () => {
    const tenant = await scene().createTenant();
    const receiver = await receiverOf(429, { 'retry-after': '3600' });
    const endpoint = await scene().addEndpoint(tenant, receiver.url);
    await scene().addEvents(tenant, Array<string>(300).fill('order.paid'));
    await eventually(async () => {
      const [row] = await scene().query(
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
    const tenant = await scene().createTenant();
    const receiver = await receiverOf(503);
    const endpoint = await scene().addEndpoint(tenant, receiver.url);
    await scene().addEvents(tenant, ['order.paid']);
    const { id } = await untilAttempted(endpoint, 1);
    await scene().query(
      `UPDATE webhook_deliveries SET step = 9, next_attempt_at = now() WHERE id = $1`,
      [id],
    );
    const [failed] = await untilState(endpoint, ['FAILED']);
    expect(failed).toMatchObject({ attempts: 2, next_attempt_at: null });

    receiver.now.status = 202;
    const replayed = await scene().deps.database.asTenant(tenant.organizationId, em =>
      queueReplayOf(em, tenant.workspaceId, [String(id)]),
    );
    expect(replayed).toEqual([id]);
    await untilState(endpoint, ['DELIVERED']);
    expect(await scene().attempts(id)).toMatchObject([
      { cause: 'SCHEDULED' },
      { cause: 'SCHEDULED' },
      { cause: 'REPLAY', outcome: 'DELIVERED', status: 202 },
    ]);
  });

  test.each([
    [{ status: 410 }, 'GONE', {}],
    [{ status: 500 }, 'FAILING', { failingDays: 6 }],
  ] as const)('with %o disables the endpoint: %s', async ({ status }, reason, options) => {
    const tenant = await scene().createTenant();
    const [receiver, other] = [await receiverOf(status), await receiverOf(200)];
    const endpoint = await scene().addEndpoint(tenant, receiver.url, options);
    const beside = await scene().addEndpoint(tenant, other.url);
    await scene().addEvents(tenant, ['order.paid']);
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
    await scene().addEvents(tenant, ['order.expired']);
    await eventually(async () => {
      // A delivery that failed before is cancelled when its next attempt is due.
      await scene().makeDue(endpoint.id);
      const found = await scene().deliveries(endpoint.id);
      expect(found.at(-1)).toMatchObject({ event_type: 'order.expired', state: 'CANCELLED' });
      expect(found.filter(({ state }) => state === 'PENDING')).toEqual([]);
    });
    expect(receiver.received).toHaveLength(1);
    expect(
      await scene().query('SELECT * FROM audit_log WHERE subject_id = $1', [endpoint.id]),
    ).toMatchObject([{ action: 'webhook_endpoint.auto_disable', actor_id: 'system' }]);

    await enable(endpoint);
    receiver.now.status = 200;
    await replayFailed(tenant, endpoint);
    await eventually(async () => {
      const states = (await scene().deliveries(endpoint.id)).map(({ state }) => state);
      expect(new Set(states)).toEqual(new Set(['DELIVERED']));
    });
  });

  test('does not delay other endpoints', async () => {
    const tenant = await scene().createTenant();
    const hanging = await httpReceiver(() => undefined);
    const stuck = await Promise.all(
      Array.from({ length: 12 }, (_, number) =>
        scene().addEndpoint(tenant, `${hanging.url}/${number}`, { eventTypes: ['order.paid'] }),
      ),
    );
    const receiver = await receiverOf(200);
    const good = await scene().addEndpoint(tenant, receiver.url, { eventTypes: ['order.expired'] });
    // More than a sender holds at a time.
    await scene().addEvents(tenant, Array<string>(200).fill('order.paid'));
    const ids = stuck.map(({ id }) => id);
    const counts = async () =>
      (
        await scene().query(
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
    await scene().addEvents(tenant, Array<string>(200).fill('order.expired'));
    await untilState(good, Array<string>(200).fill('DELIVERED'));
    expect(await counts()).toEqual({ all: 2_400, pending: 2_400, claimed: held });
    await scene().query(
      `UPDATE webhook_endpoints SET state = 'DISABLED', disabled_reason = 'BY_OPERATOR',
      disabled_at = now() WHERE id = ANY($1::uuid[])`,
      [ids],
    );
  });
});

async function enable({ id }: Endpoint) {
  await scene().query(
    `UPDATE webhook_endpoints SET state = 'ENABLED', disabled_reason = NULL, disabled_at = NULL,
       failing_since = NULL WHERE id = $1`,
    [id],
  );
}

function replayFailed({ organizationId, workspaceId }: Tenant, { id: endpointId }: Endpoint) {
  const filter = { workspaceId, endpointId, isFailedOnly: true };
  return scene().deps.database.asTenant(organizationId, async em => {
    const { asOf: finishedBefore } = await countReplay(em, filter);
    return queueReplay(em, filter, { finishedBefore, max: 1_000 });
  });
}
