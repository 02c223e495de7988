// If webhooks are lost, querying the gateway has the same result. If they arrive later, no effect
// is recorded twice.

import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createGatewayClient } from '../../../../graphql-api/payments/client/gateway-client.ts';
import { reconcileOpenObjects } from '../../../../graphql-api/payments/reconcile.job.ts';
import { PLATFORM_ACCOUNT_ID } from '../../../../schema/gateway/account.ts';
import {
  PLATFORM_CLIENT_ID,
  PLATFORM_CLIENT_SECRET,
  useGateway,
} from '../../../harness/gateway.ts';
import {
  insertLink,
  insertOrder,
  insertPlan,
  insertReferral,
  insertVendor,
  useScene,
} from './scene.ts';

const scene = useScene();
/** A gateway whose webhooks are never delivered. */
const gateway = useGateway({
  accounts: [
    {
      clientId: PLATFORM_CLIENT_ID,
      clientSecret: PLATFORM_CLIENT_SECRET,
      webhookUrl: 'http://127.0.0.1:1/',
      webhookSecret: 'webhook-secret-of-a-test',
    },
  ],
});

/** The scene's dependencies, plus the API's gateway credentials. */
function deps() {
  const { deps } = scene();
  const platform = {
    environment: 'PRODUCTION' as const,
    clientId: PLATFORM_CLIENT_ID,
    clientSecret: PLATFORM_CLIENT_SECRET,
  };
  return {
    ...deps,
    config: { ...deps.config, gateway: { ...deps.config.gateway, platform } },
    gateway: createGatewayClient({
      baseUrl: gateway().baseUrl,
      attemptTimeoutMs: 2_000,
      newId: randomUUID,
    }),
  };
}

async function ask(path: string, body: object) {
  const response = await fetch(`${gateway().baseUrl}/${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-api-version': '2025-01-01',
      'x-client-id': PLATFORM_CLIENT_ID,
      'x-client-secret': PLATFORM_CLIENT_SECRET,
    },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return JSON.parse(text) as Record<string, unknown>;
}

const customer = { customer_id: 'customer1', customer_phone: '9999999999' };

/** Runs the job as if half an hour had passed, when the gateway no longer retries. */
async function reconcile() {
  await scene().sql(
    `UPDATE gateway_links SET created_at = created_at - interval '1 hour', checked_at = NULL;
     UPDATE gateway_orders SET created_at = created_at - interval '1 hour', checked_at = NULL`,
  );
  return reconcileOpenObjects(deps());
}

test('a payment to the platform with lost webhooks still earns a reward, once', async () => {
  const { referrerId, refereeId } = await insertReferral(scene());
  const linkId = `lnk${randomUUID().replaceAll('-', '')}`;
  await ask('links', {
    link_id: linkId,
    link_amount: 1000,
    link_currency: 'INR',
    link_purpose: 'test',
    customer_details: customer,
  });
  await insertLink(scene(), {
    accountId: PLATFORM_ACCOUNT_ID,
    payerOrganizationId: refereeId,
    linkId,
    cfId: null,
  });
  await reconcile();
  const earnings = () =>
    scene().sql('SELECT amount_minor FROM earnings WHERE organization_id = $1', [referrerId]);
  expect(await earnings()).toEqual([]);
  await gateway().control(`links/${linkId}/pay`);
  await reconcile();
  expect(await earnings()).toEqual([{ amount_minor: '10000' }]);
  const [link] = await scene().sql(
    'SELECT status, amount_paid_minor, cf_id FROM gateway_links WHERE link_id = $1',
    [linkId],
  );
  expect(link).toMatchObject({ status: 'PAID', amount_paid_minor: '100000' });
  // The webhooks arrive after all, twice.
  for (const { body } of await webhooks(linkId)) await scene().receive(Buffer.from(body));
  await scene().work();
  await reconcile();
  expect(await earnings()).toHaveLength(1);
  const effects = await scene().sql(
    `SELECT name, count(*)::int FROM gateway_effects
     WHERE object_id = $1 OR object_id IN (SELECT cf_payment_id FROM gateway_payments WHERE link_id = $1)
     GROUP BY name ORDER BY name`,
    [linkId],
  );
  expect(effects).toEqual([
    { name: 'payment.succeeded', count: 1 },
    { name: 'payment_link.paid', count: 1 },
  ]);
});

async function webhooks(linkId: string) {
  const sent = (await gateway().control('webhooks')) as unknown as readonly { body: string }[];
  const cfId = /"cf_link_id":"?(\w+)/.exec(
    sent.find(({ body }) => body.includes(linkId))!.body,
  )![1]!;
  const its = sent.filter(({ body }) => body.includes(linkId) || body.includes(cfId));
  expect(its.length).toBeGreaterThan(1);
  return its;
}

test('an order is paid, and one unknown to the gateway does not block others', async () => {
  const { workspaceId } = await scene().tenant();
  const orderId = `ord${randomUUID().replaceAll('-', '')}`;
  await ask('orders', {
    order_id: orderId,
    order_amount: 1,
    order_currency: 'INR',
    customer_details: customer,
  });
  const options = { accountId: PLATFORM_ACCOUNT_ID, workspaceId };
  await insertOrder(scene(), `lost${orderId}`, options);
  await insertOrder(scene(), orderId, options);
  await gateway().control(`orders/${orderId}/pay`);
  expect((await reconcile()).unanswered).toBeGreaterThan(0);
  const [order] = await scene().sql(
    'SELECT status, amount_paid_minor FROM gateway_orders WHERE order_id = $1',
    [orderId],
  );
  expect(order).toEqual({ status: 'PAID', amount_paid_minor: '100' });
  const told = await scene().sql(
    'SELECT type FROM outbound_events WHERE workspace_id = $1 ORDER BY type',
    [workspaceId],
  );
  expect(told).toEqual([{ type: 'order.paid' }, { type: 'payment.succeeded' }]);
});

test('many open objects of one account do not block those of others', async () => {
  const { workspaceId } = await scene().tenant();
  for (let index = 0; index < 30; index++)
    await insertOrder(scene(), `many-${index}-${workspaceId}`, {
      accountId: workspaceId,
      workspaceId,
    });
  const orderId = `after-many-${workspaceId}`;
  await insertOrder(scene(), orderId, { accountId: PLATFORM_ACCOUNT_ID, workspaceId });
  await reconcile();
  const [order] = await scene().sql('SELECT checked_at FROM gateway_orders WHERE order_id = $1', [
    orderId,
  ]);
  expect(order!.checked_at).not.toBeNull();
});

test('an object unknown to the gateway after a day was never created', async () => {
  const { workspaceId } = await scene().tenant();
  const orderId = `ord${randomUUID().replaceAll('-', '')}`;
  await ask('orders', {
    order_id: orderId,
    order_amount: 1,
    order_currency: 'INR',
    customer_details: customer,
  });
  const insert = (refundId: string, age: string) =>
    scene().sql(
      `INSERT INTO gateway_refunds (id, account_id, workspace_id, refund_id, order_id, amount_minor,
         currency, created_at)
       VALUES (gen_random_uuid(), $1, $2, $3, $4, 100, 'INR', now() - $5::interval)`,
      [PLATFORM_ACCOUNT_ID, workspaceId, refundId, orderId, age],
    );
  await insert('old', '25 hours');
  await insert('young', '23 hours');
  await reconcile();
  const refunds = await scene().sql(
    'SELECT refund_id, status, error_code FROM gateway_refunds WHERE workspace_id = $1 ORDER BY 1',
    [workspaceId],
  );
  expect(refunds).toEqual([
    { refund_id: 'old', status: 'REFUSED', error_code: 'never_made' },
    { refund_id: 'young', status: 'CREATING', error_code: null },
  ]);
});

test('a plan and a vendor whose creation was not confirmed get their status, or were never created', async () => {
  const { workspaceId } = await scene().tenant();
  const madeId = `made_${workspaceId.replaceAll('-', '')}`;
  const lostId = `lost_${workspaceId.replaceAll('-', '')}`;
  await ask('plans', {
    plan_id: madeId,
    plan_name: 'Gold',
    plan_type: 'ON_DEMAND',
    plan_currency: 'INR',
    plan_max_amount: 999,
  });
  await ask('easy-split/vendors', {
    vendor_id: madeId,
    name: 'Asha Textiles',
    email: 'asha@example.com',
    phone: '9999999999',
    upi: { vpa: 'asha@bank', account_holder: 'Asha Rao' },
    vendor_capabilities: ['UPI'],
    kyc_details: { account_type: 'INDIVIDUAL', business_type: 'Miscellaneous', pan: 'AAAPA1234A' },
  });
  for (const id of [madeId, lostId]) {
    const options = { accountId: PLATFORM_ACCOUNT_ID, workspaceId };
    await insertPlan(scene(), id, options);
    await insertVendor(scene(), id, options);
  }
  await scene().sql(
    `UPDATE gateway_plans SET created_at = created_at - interval '25 hours', error_code = 'timed_out';
     UPDATE gateway_vendors SET created_at = created_at - interval '25 hours', error_code = 'timed_out'`,
  );
  await reconcile();
  const rowsOf = (table: string, idColumn: string) =>
    scene().sql(
      `SELECT ${idColumn} AS id, status, error_code FROM ${table} WHERE workspace_id = $1 ORDER BY 1`,
      [workspaceId],
    );
  const lost = { id: lostId, status: 'REFUSED', error_code: 'never_made' };
  expect(await rowsOf('gateway_plans', 'plan_id')).toEqual([
    lost,
    { id: madeId, status: 'ACTIVE', error_code: null },
  ]);
  expect(await rowsOf('gateway_vendors', 'vendor_id')).toEqual([
    lost,
    { id: madeId, status: 'IN_BENE_CREATION', error_code: null },
  ]);
});
