// The filters of payments, and the search for words of what was paid.

import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { PLATFORM_ACCOUNT_ID } from '../../../schema/gateway/account.ts';
import { createTenant, sql } from '../../harness/tenant.ts';
import { useSharedApi } from '../harness/api-process.ts';
import { change, pay, paymentQueries } from './payment-scene.ts';

const api = useSharedApi();

const { ask, idsOf } = paymentQueries(api);

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
