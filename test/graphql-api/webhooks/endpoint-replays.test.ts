// Replays of the deliveries of an endpoint, with a real process and a real receiver.

import { describe, expect, test } from 'vitest';
import { decodeNodeId } from '../../../graphql-api/platform/graph/node-id.ts';
import { REPLAY_AT_ONCE_MAX } from '../../../graphql-api/webhooks/dispatch/queue-replay.ts';
import { eventually } from '../../harness/eventually.ts';
import { sql } from '../../harness/tenant.ts';
import { ask, mutate, refusals } from '../harness/mutate.ts';
import { DELIVERY, endpointActions, type Fields, untilReceived } from './endpoint-actions.ts';
import { useWebhookApi } from './webhook-api.ts';

const webhooks = useWebhookApi();
const { databaseUrl, scene } = webhooks;
const { ownerOf, memberOf, create, change, happen, untilDelivery } = endpointActions(webhooks);

describe.concurrent('an endpoint', () => {
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
      databaseUrl(),
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
      databaseUrl(),
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
        databaseUrl(),
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
      databaseUrl(),
    );
    const args = { id, input: { includeDelivered: false } };
    const replay = await mutate(ownerOf(tenant), 'webhookEndpointReplay', args, 'count isByJob');
    expect(replay).toEqual({ count: missed, isByJob: true, userErrors: [] });
    const got = await untilReceived(receiver, missed);
    expect(new Set(got.map(webhook => webhook.id)).size).toBe(missed);
  });
});
