// What belongs to a payment: its order, link, subscription, refunds, and what happened to it.

import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { PLATFORM_ACCOUNT_ID } from '../../../schema/gateway/account.ts';
import { createTenant, sql } from '../../harness/tenant.ts';
import { useSharedApi } from '../harness/api-process.ts';
import { furnishGateway } from '../harness/gateway.ts';
import { change, pay, paymentQueries } from './payment-scene.ts';

const api = useSharedApi();

const { ask } = paymentQueries(api);

const MONEY_BACK = `query ($id: String!) { gatewayPayment(cfPaymentId: $id) {
  amountRefunded { amount } amountRefundable { amount } isDisputed
} }`;

test('a payment shows what was refunded, and what is left without pending refunds', async () => {
  const tenant = await createTenant();
  const [orderId, otherOrderId] = [randomUUID(), randomUUID()];
  const [payment, alone] = [await pay(tenant, { orderId }), await pay(tenant)];
  await pay(tenant, { orderId: otherOrderId });
  const refund = (of: Record<string, unknown>) =>
    sql(
      `INSERT INTO gateway_refunds (id, account_id, workspace_id, refund_id, cf_payment_id, order_id,
         status, amount_minor, currency)
       VALUES (gen_random_uuid(), $1, $1, gen_random_uuid()::text, $2, $3, $4, $5, 'INR')`,
      [tenant.workspaceId, of.payment ?? null, of.order ?? null, of.status, of.minor],
    );
  const shown = async (id: string) => (await ask(tenant, MONEY_BACK, { id })).gatewayPayment;
  const backOf = (refunded: string, refundable: string) => ({
    amountRefunded: { amount: refunded },
    amountRefundable: { amount: refundable },
    isDisputed: false,
  });
  expect(await shown(payment)).toEqual(backOf('0.00', '1.00'));
  await refund({ payment, order: orderId, status: 'SUCCESS', minor: 30 });
  await refund({ payment, order: orderId, status: 'PENDING', minor: 20 });
  await refund({ payment, order: orderId, status: 'FAILED', minor: 11 });
  await refund({ payment, order: orderId, status: 'CANCELLED', minor: 11 });
  await refund({ order: otherOrderId, status: 'SUCCESS', minor: 10 });
  expect(await shown(payment)).toEqual(backOf('0.30', '0.50'));
  // One that the gateway reported without its payment.
  await refund({ order: orderId, status: 'SUCCESS', minor: 50 });
  expect(await shown(payment)).toEqual(backOf('0.80', '0.00'));
  // It has nothing that the gateway could refund.
  expect(await shown(alone)).toEqual(backOf('0.00', '0.00'));
});

test('a payment is disputed until the merchant has won', async () => {
  const tenant = await createTenant();
  const [payment, other] = [await pay(tenant), await pay(tenant)];
  const isDisputed = async (id: string) =>
    ((await ask(tenant, MONEY_BACK, { id })).gatewayPayment as { isDisputed: boolean }).isDisputed;
  await sql(
    `INSERT INTO gateway_disputes (id, account_id, workspace_id, dispute_id, type, status, cf_payment_id)
     VALUES (gen_random_uuid(), $1, $1, $2, 'CHARGEBACK', 'CHARGEBACK_CREATED', $2)`,
    [tenant.workspaceId, payment],
  );
  for (const [status, is] of [
    ['CHARGEBACK_CREATED', true],
    ['CHARGEBACK_MERCHANT_LOST', true],
    ['CHARGEBACK_MERCHANT_WON', false],
  ] as const) {
    await sql('UPDATE gateway_disputes SET status = $2 WHERE dispute_id = $1', [payment, status]);
    expect(await isDisputed(payment)).toBe(is);
    expect(await isDisputed(other)).toBe(false);
  }
});

test('a payment shows its order, link and subscription, if they were created here', async () => {
  const tenant = await createTenant();
  await furnishGateway(tenant);
  const [link] = await sql('SELECT link_id FROM gateway_links WHERE workspace_id = $1', [
    tenant.workspaceId,
  ]);
  const [subscription] = await sql(
    'SELECT subscription_id FROM gateway_subscriptions WHERE workspace_id = $1',
    [tenant.workspaceId],
  );
  const [order] = await sql('SELECT order_id FROM gateway_orders WHERE workspace_id = $1', [
    tenant.workspaceId,
  ]);
  const subscriptionId = subscription!.subscription_id as string;
  const orderId = order!.order_id as string;
  const [known, unknown] = [
    await pay(tenant, { subscriptionId, orderId }),
    await pay(tenant, { subscriptionId: randomUUID(), orderId: randomUUID() }),
  ];
  await change(known, 'link_id', link!.link_id as string);
  await change(unknown, 'link_id', randomUUID());
  const data = await ask(
    tenant,
    `{ gatewayPayments(first: 10) { nodes {
      cfPaymentId order { orderId } link { purpose } subscription { subscriptionId }
    } } }`,
  );
  expect(data.gatewayPayments).toEqual({
    nodes: [
      { cfPaymentId: unknown, order: null, link: null, subscription: null },
      {
        cfPaymentId: known,
        order: { orderId },
        link: { purpose: 'An order' },
        subscription: { subscriptionId },
      },
    ],
  });
});

test('refunds are filtered by order, in one workspace', async () => {
  const [tenant, other] = [await createTenant(), await createTenant()];
  const [orderId, payment] = [randomUUID(), await pay(tenant)];
  for (const order of [orderId, randomUUID()])
    await sql(
      `INSERT INTO gateway_refunds (id, account_id, workspace_id, refund_id, cf_payment_id, order_id,
         status, amount_minor, currency)
       VALUES (gen_random_uuid(), $1, $1, $2, $3, $2, 'SUCCESS', 100, 'INR')`,
      [tenant.workspaceId, order, payment],
    );
  const document = `query ($orderId: String, $paymentId: String) {
    gatewayRefunds(first: 10, orderId: $orderId, paymentId: $paymentId) { nodes { refundId } }
  }`;
  const found = { gatewayRefunds: { nodes: [{ refundId: orderId }] } };
  const nothing = { gatewayRefunds: { nodes: [] } };
  expect(await ask(tenant, document, { orderId })).toEqual(found);
  expect(await ask(tenant, document, { orderId, paymentId: payment })).toEqual(found);
  expect(await ask(tenant, document, { orderId, paymentId: randomUUID() })).toEqual(nothing);
  expect(await ask(other, document, { orderId })).toEqual(nothing);
});

test('the effects on a payment include those on its refunds and disputes, and no others', async () => {
  const [tenant, other] = [await createTenant(), await createTenant()];
  const [payment, otherPayment] = [await pay(tenant), await pay(tenant)];
  const [refund, dispute] = [randomUUID(), randomUUID()];
  await sql(
    `INSERT INTO gateway_refunds
       (id, account_id, workspace_id, refund_id, cf_payment_id, status, amount_minor, currency)
     VALUES (gen_random_uuid(), $1, $1, $2, $3, 'SUCCESS', 100, 'INR')`,
    [tenant.workspaceId, refund, payment],
  );
  await sql(
    `INSERT INTO gateway_disputes
       (id, account_id, workspace_id, dispute_id, cf_payment_id, type, status)
     VALUES (gen_random_uuid(), $1, $1, $2, $3, 'DISPUTE', 'DISPUTE_CREATED')`,
    [tenant.workspaceId, dispute, payment],
  );
  for (const [name, kind, id, accountId] of [
    ['payment.succeeded', 'payment', payment, tenant.workspaceId],
    ['refund.succeeded', 'refund', refund, tenant.workspaceId],
    ['dispute.created', 'dispute', dispute, tenant.workspaceId],
    ['payment.failed', 'payment', otherPayment, tenant.workspaceId],
    // An account in which the workspace has no payments.
    ['payment.failed', 'payment', payment, other.workspaceId],
    // The refund of a payment cannot be mistaken for an order with the same ID.
    ['order.paid', 'order', refund, PLATFORM_ACCOUNT_ID],
  ] as const)
    await sql(
      `INSERT INTO gateway_effects (id, account_id, workspace_id, name, object_kind, object_id,
         occurred_at, created_at) VALUES (gen_random_uuid(), $1, $2, $3, $4, $5, now(), now())`,
      [accountId, tenant.workspaceId, name, kind, id],
    );
  const document = `query ($id: String!) {
    gatewayEffects(first: 10, paymentId: $id) { nodes { name } }
    gatewayDisputes(first: 10, paymentId: $id) { nodes { disputeId } }
  }`;
  expect(await ask(tenant, document, { id: payment })).toEqual({
    gatewayEffects: {
      nodes: [
        { name: 'dispute.created' },
        { name: 'refund.succeeded' },
        { name: 'payment.succeeded' },
      ],
    },
    gatewayDisputes: { nodes: [{ disputeId: dispute }] },
  });
  expect(await ask(tenant, document, { id: otherPayment })).toMatchObject({
    gatewayEffects: { nodes: [{ name: 'payment.failed' }] },
    gatewayDisputes: { nodes: [] },
  });
  expect(await ask(other, document, { id: payment })).toEqual({
    gatewayEffects: { nodes: [] },
    gatewayDisputes: { nodes: [] },
  });
});
