// Deliveries to endpoints that are or become disabled, and their replay.

import { describe, expect, test } from 'vitest';
import { cancelDeliveries } from '../../../../graphql-api/webhooks/dispatch/claim-deliveries.ts';
import {
  countReplay,
  queueReplayOf,
} from '../../../../graphql-api/webhooks/dispatch/queue-replay.ts';
import { queueTest } from '../../../../graphql-api/webhooks/dispatch/queue-test.ts';
import { eventually } from '../../../harness/eventually.ts';
import { receiverOf, useDeliveries, verified } from './delivery-checks.ts';

const { scene, untilState, endpointRow, untilAttempted } = useDeliveries();

describe.concurrent('disabled endpoints', () => {
  test('any number of waiting deliveries is canceled before a test is sent', async () => {
    const tenant = await scene().createTenant();
    const receiver = await receiverOf(200);
    const endpoint = await scene().addEndpoint(tenant, receiver.url, { state: 'DISABLED' });
    await scene().query(
      `INSERT INTO webhook_deliveries
         (id, workspace_id, endpoint_id, event_id, event_type, next_attempt_at)
       SELECT gen_random_uuid(), $1, $2, gen_random_uuid(), 'order.paid', now()
       FROM generate_series(1, 2500)`,
      [tenant.workspaceId, endpoint.id],
    );
    await scene().deps.database.asTenant(tenant.organizationId, em =>
      queueTest(em, scene().deps, { id: endpoint.id, workspaceId: tenant.workspaceId }),
    );
    await eventually(async () =>
      expect(
        await scene().query(
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
    const tenant = await scene().createTenant();
    const { id } = await scene().addEndpoint(tenant, 'http://127.0.0.1:1/');
    await scene().query(
      `INSERT INTO webhook_deliveries
         (id, workspace_id, endpoint_id, event_id, event_type, next_attempt_at)
       VALUES (gen_random_uuid(), $1, $2, gen_random_uuid(), 'order.paid', now() + interval '1 day')`,
      [tenant.workspaceId, id],
    );
    await scene().deps.database.asSystem(em =>
      cancelDeliveries(em, [{ id, state: 'DISABLED', isFailing: false }]),
    );
    expect(await scene().deliveries(id)).toMatchObject([{ state: 'PENDING' }]);
  });

  test('waiting deliveries of a disabled or deleted endpoint are canceled', async () => {
    const tenant = await scene().createTenant();
    const receiver = await receiverOf(500);
    const [disabled, deleted] = [
      await scene().addEndpoint(tenant, receiver.url),
      await scene().addEndpoint(tenant, receiver.url),
    ];
    await scene().addEvents(tenant, ['order.paid']);
    await untilAttempted(disabled, 1);
    await untilAttempted(deleted, 1);
    await scene().query(
      `UPDATE webhook_endpoints SET state = 'DISABLED', disabled_reason = 'BY_OPERATOR',
         disabled_at = now() WHERE id = $1`,
      [disabled.id],
    );
    await scene().query('DELETE FROM webhook_endpoints WHERE id = $1', [deleted.id]);
    for (const endpoint of [disabled, deleted]) {
      await scene().makeDue(endpoint.id);
      await untilState(endpoint, ['CANCELLED']);
    }
    expect(receiver.received).toHaveLength(2);
  });

  test('a test is still sent, once, and does not change the state of the endpoint', async () => {
    const tenant = await scene().createTenant();
    const receiver = await receiverOf(500);
    const endpoint = await scene().addEndpoint(tenant, receiver.url, { state: 'DISABLED' });
    const queued = await scene().deps.database.asTenant(tenant.organizationId, em =>
      queueTest(em, scene().deps, { id: endpoint.id, workspaceId: tenant.workspaceId }),
    );
    const [delivery] = await untilState(endpoint, ['FAILED']);
    expect(delivery).toMatchObject({ id: queued.deliveryId, attempts: 1, is_test: true });
    expect(await scene().attempts(delivery!.id)).toMatchObject([{ cause: 'TEST', status: 500 }]);
    expect(await endpointRow(endpoint)).toMatchObject({ failing_since: null, state: 'DISABLED' });
    expect(verified(endpoint.secret, receiver.received[0]!)).toMatchObject({
      type: 'endpoint.test',
      data: { endpoint_id: endpoint.id },
    });
  });

  test('deliveries wait if the secret cannot be decrypted, and nothing is sent unsigned', async () => {
    const tenant = await scene().createTenant();
    const receiver = await receiverOf(200);
    const endpoint = await scene().addEndpoint(tenant, receiver.url);
    await scene().query(`UPDATE webhook_secrets SET key_id = 'gone' WHERE endpoint_id = $1`, [
      endpoint.id,
    ]);
    await scene().addEvents(tenant, ['order.paid']);
    await eventually(async () => {
      const [row] = await scene().deliveries(endpoint.id);
      expect(row).toMatchObject({ state: 'PENDING', attempts: 0, claimed_until: null });
      expect(Number(row!.next_attempt_at)).toBeGreaterThan(Date.now() + 30_000);
    });
    expect(receiver.received).toEqual([]);
  });

  test('a replay affects only deliveries of the workspace', async () => {
    const [tenant, other] = [await scene().createTenant(), await scene().createTenant()];
    const receiver = await receiverOf(200);
    const endpoint = await scene().addEndpoint(tenant, receiver.url);
    await scene().addEvents(tenant, ['order.paid']);
    const [delivery] = await untilState(endpoint, ['DELIVERED']);
    const ids = [String(delivery!.id)];
    const { organizationId, workspaceId } = other;
    const foreign = await scene().deps.database.asTenant(organizationId, async em => [
      ...(await queueReplayOf(em, workspaceId, ids)),
      ...(await queueReplayOf(em, tenant.workspaceId, ids)),
    ]);
    expect(foreign).toEqual([]);
    const filter = {
      workspaceId: tenant.workspaceId,
      endpointId: endpoint.id,
      isFailedOnly: false,
    };
    const counted = await scene().deps.database.asTenant(organizationId, em =>
      countReplay(em, filter),
    );
    expect(counted.count).toBe(0);
  });
});
