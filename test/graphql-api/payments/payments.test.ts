// The filters of payments, and what belongs to one: its order, link, subscription, refunds, and what happened to it.

import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { PLATFORM_ACCOUNT_ID } from '../../../schema/gateway/account.ts';
import { createTenant, sql, type Tenant } from '../../harness/tenant.ts';
import { useSharedApi } from '../harness/api-process.ts';
import { furnishGateway, recordPayment } from '../harness/gateway.ts';
import { tokenFor } from '../harness/tokens.ts';

const api = useSharedApi();

async function ask(tenant: Tenant, document: string, variables: Record<string, unknown> = {}) {
  const token = await tokenFor(tenant.organizationId, { roles: ['member'] });
  const answer = await api().graphql(document, { token, variables });
  expect(answer.errors, answer.text).toBeUndefined();
  return answer.data as Record<string, unknown>;
}

/** Each test has its own IDs, since those in the platform's account are shared by all of them. */
async function pay(tenant: Tenant, of: { orderId?: string; subscriptionId?: string } = {}) {
  const cfPaymentId = randomUUID();
  const account = { accountId: tenant.workspaceId, amountMinor: 100n };
  await recordPayment(tenant, { ...account, cfPaymentId, ...of });
  return cfPaymentId;
}

async function change(cfPaymentId: string, column: string, value: string) {
  await sql(`UPDATE gateway_payments SET ${column} = $2 WHERE cf_payment_id = $1`, [
    cfPaymentId,
    value,
  ]);
}

async function idsOf(tenant: Tenant, filter: Record<string, unknown>): Promise<string[]> {
  const data = await ask(
    tenant,
    `query (
      $status: String, $methods: [String!], $objectId: String, $search: String, $since: DateTime,
      $until: DateTime
    ) {
      gatewayPayments(
        first: 10, status: $status, methods: $methods, objectId: $objectId, search: $search,
        since: $since, until: $until
      ) { nodes { cfPaymentId } }
    }`,
    filter,
  );
  const { nodes } = data.gatewayPayments as { nodes: { cfPaymentId: string }[] };
  return nodes.map(({ cfPaymentId }) => cfPaymentId);
}

test('payments are filtered by status and by when they were first recorded', async () => {
  const tenant = await createTenant();
  const [old, failed, recent] = [await pay(tenant), await pay(tenant), await pay(tenant)];
  await change(old, 'created_at', '2026-01-10T00:00:00Z');
  await change(failed, 'created_at', '2026-01-20T00:00:00Z');
  await change(failed, 'status', 'FAILED');
  expect(await idsOf(tenant, {})).toEqual([recent, failed, old]);
  expect(await idsOf(tenant, { status: 'FAILED' })).toEqual([failed]);
  expect(await idsOf(tenant, { since: '2026-01-20T00:00:00Z' })).toEqual([recent, failed]);
  expect(await idsOf(tenant, { until: '2026-01-20T00:00:00Z' })).toEqual([old]);
  expect(await idsOf(tenant, { status: 'SUCCESS', since: '2026-01-15T00:00:00Z' })).toEqual([
    recent,
  ]);
});

test('payments are filtered by method, in any letter case', async () => {
  const tenant = await createTenant();
  const [upi, card, mandate] = [await pay(tenant), await pay(tenant), await pay(tenant)];
  await pay(tenant);
  await change(upi, 'method', 'upi');
  await change(card, 'method', 'credit_card');
  await change(mandate, 'method', 'UPI');
  expect(await idsOf(tenant, { methods: ['Upi'] })).toEqual([mandate, upi]);
  expect(await idsOf(tenant, { methods: ['credit_card', 'upi'] })).toEqual([mandate, card, upi]);
  expect(await idsOf(tenant, { methods: ['upi'], objectId: upi })).toEqual([upi]);
  expect(await idsOf(tenant, { methods: ['wallet'] })).toEqual([]);
  expect(await idsOf(tenant, { methods: [] })).toEqual([]);
});

test('payments are found by the ID of each object that they belong to, in one workspace', async () => {
  const [tenant, other] = [await createTenant(), await createTenant()];
  const [orderId, linkId, subscriptionId] = [randomUUID(), randomUUID(), randomUUID()];
  const [ofOrder, ofLink] = [await pay(tenant, { orderId }), await pay(tenant)];
  const ofSubscription = await pay(tenant, { subscriptionId });
  await change(ofLink, 'link_id', linkId);
  for (const [objectId, found] of [
    [orderId, ofOrder],
    [linkId, ofLink],
    [subscriptionId, ofSubscription],
    [ofOrder, ofOrder],
  ] as const) {
    expect(await idsOf(tenant, { objectId })).toEqual([found]);
    expect(await idsOf(tenant, { search: objectId })).toEqual([found]);
    expect(await idsOf(other, { objectId })).toEqual([]);
  }
  expect(await idsOf(tenant, { objectId: randomUUID() })).toEqual([]);
});

test('payments are found by the purpose of their link and the note of their order, in one workspace', async () => {
  const [tenant, other] = [await createTenant(), await createTenant()];
  const [orderId, linkId, words] = [randomUUID(), randomUUID(), `Order ${randomUUID()}`];
  const [ofOrder, ofLink] = [await pay(tenant, { orderId }), await pay(tenant)];
  await change(ofLink, 'link_id', linkId);
  const columns = [tenant.workspaceId, linkId, words];
  await sql(
    `INSERT INTO gateway_links (id, account_id, workspace_id, link_id, purpose, amount_minor, currency)
     VALUES (gen_random_uuid(), $1, $1, $2, $3, 100, 'INR')`,
    columns,
  );
  expect(await idsOf(tenant, { search: words })).toEqual([ofLink]);
  await sql(
    `INSERT INTO gateway_orders (id, account_id, workspace_id, order_id, note, amount_minor, currency)
     VALUES (gen_random_uuid(), $1, $1, $2, $3, 100, 'INR')`,
    [tenant.workspaceId, orderId, words],
  );
  expect(await idsOf(tenant, { search: words })).toEqual([ofLink, ofOrder]);
  expect(await idsOf(tenant, { search: words, objectId: orderId })).toEqual([ofOrder]);
  expect(await idsOf(tenant, { search: words, status: 'FAILED' })).toEqual([]);
  expect(await idsOf(other, { search: words })).toEqual([]);
  const data = await ask(
    tenant,
    'query ($words: String) { gatewayPaymentTotals(search: $words) { paymentCount } }',
    { words },
  );
  expect(data).toEqual({ gatewayPaymentTotals: [{ paymentCount: 2 }] });
});

test('payments are found by the beginnings of words, however they are written', async () => {
  const tenant = await createTenant();
  const purposes = ['Order INV-2024/1042', 'order 1043 – “Blau Zäune”', 'हिन्दी किताबें'];
  const payments = await Promise.all(
    purposes.map(async purpose => {
      const [linkId, payment] = [randomUUID(), await pay(tenant)];
      await change(payment, 'link_id', linkId);
      await sql(
        `INSERT INTO gateway_links (id, account_id, workspace_id, link_id, purpose, amount_minor, currency)
         VALUES (gen_random_uuid(), $1, $1, $2, $3, 100, 'INR')`,
        [tenant.workspaceId, linkId, purpose],
      );
      return payment;
    }),
  );
  const [first, second, third] = payments;
  for (const [search, found] of [
    ['1042', [first]],
    ['104', [first, second]],
    ['ORD', [first, second]],
    ['inv-2024', [first]],
    ['1043 order', [second]],
    ['ZÄUNE', [second]],
    ['किता', [third]],
    ['042', []],
    ['1042 1043', []],
    ['–', []],
    ['%', []],
  ] as const)
    expect(new Set(await idsOf(tenant, { search })), search).toEqual(new Set(found));
});

test('a search for words uses the index under row-level security', async () => {
  const app = new pg.Client(inject('databaseUrls').app);
  await app.connect();
  try {
    // The table of a test is too small for an index.
    await app.query('SET enable_seqscan = off');
    const { rows } = await app.query(
      `EXPLAIN SELECT object_id FROM gateway_described_words
       WHERE workspace_id = '${PLATFORM_ACCOUNT_ID}' AND word ^@ '1042'`,
    );
    expect(JSON.stringify(rows)).toMatch(
      /Index Cond: [^"]*workspace_id = [^"]*word >= '1042'::text[^"]*word < '1043'::text/,
    );
  } finally {
    await app.end();
  }
});

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
