// The lists of gateway events, and the replay of a parked event.

import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { encodeNodeId } from '../../../../graphql-api/platform/graph/node-id.ts';
import { eventually } from '../../../harness/eventually.ts';
import { createTenant, sql, type Tenant } from '../../../harness/tenant.ts';
import { useSharedApi } from '../../harness/api-process.ts';
import { furnishGateway } from '../../harness/gateway.ts';
import { createParkedEvent } from '../../harness/operations.ts';
import { tokenFor } from '../../harness/tokens.ts';

const api = useSharedApi();

async function receive({ workspaceId }: Tenant, type: string, data: object): Promise<string> {
  const id = randomUUID();
  const body = JSON.stringify({ type, data, event_time: '2026-01-15T11:16:10+05:30' });
  await sql(
    `INSERT INTO gateway_events (id, account_id, event_key, type, family, body, verified_field,
       verified_generation, received_at, next_attempt_at, workspace_id)
     VALUES ($1::uuid, $2, $1::text, $3, 'payment', convert_to($4, 'UTF8'), 'webhook_secret', 'CURRENT',
       now(), now(), $2)`,
    [id, workspaceId, type, body],
  );
  return id;
}

const LISTS = `{
  gatewayEvents(first: 10) { nodes { id type state effects attempts error workspaceId } }
  gatewayPayments(first: 10) { nodes { cfPaymentId kind status orderId amount { amount currencyCode } } }
  gatewayDisputes(first: 10) { nodes { disputeId type status amount { amount } } }
  gatewaySettlements(first: 10) { nodes { settlementId vendorId status } }
  gatewayEffects(first: 10) { nodes { name objectKind objectId isLate eventId } }
}`;

test('only the workspace sees its gateway events', async () => {
  const [mine, other] = [await createTenant(), await createTenant()];
  const paymentId = randomUUID();
  const payment = { cf_payment_id: paymentId, payment_status: 'SUCCESS', payment_amount: 12.5 };
  const id = await receive(mine, 'PAYMENT_SUCCESS_WEBHOOK', {
    order: { order_id: 'order-1' },
    payment,
    customer_details: { customer_email: 'somebody@example.com' },
  });
  await receive(mine, 'DISPUTE_CREATED', {
    dispute: {
      dispute_id: `d-${paymentId}`,
      dispute_type: 'DISPUTE',
      dispute_status: 'DISPUTE_CREATED',
      dispute_amount: 3,
    },
    order_details: { cf_payment_id: paymentId },
  });
  await receive(mine, 'SETTLEMENT_SUCCESS', { settlement: { settlement_id: `s-${paymentId}` } });
  const token = await tokenFor(mine.organizationId);
  await eventually(async () => {
    const { data } = await api().graphql(LISTS, { token });
    const { gatewayEvents } = data as { gatewayEvents: { nodes: { state: string }[] } };
    expect(gatewayEvents.nodes.map(({ state }) => state)).toEqual(Array(3).fill('PROCESSED'));
  });
  const { data, text } = await api().graphql(LISTS, { token });
  expect(text).not.toContain('somebody@example.com');
  expect(data).toMatchObject({
    gatewayPayments: {
      nodes: [
        {
          cfPaymentId: paymentId,
          kind: 'ONE_TIME',
          status: 'SUCCESS',
          orderId: 'order-1',
          amount: { amount: '12.50', currencyCode: 'INR' },
        },
      ],
    },
    gatewayDisputes: { nodes: [{ type: 'DISPUTE', amount: { amount: '3.00' } }] },
    gatewaySettlements: {
      nodes: [{ settlementId: `s-${paymentId}`, vendorId: null, status: 'SUCCESS' }],
    },
  });
  const { gatewayEffects } = data as { gatewayEffects: { nodes: Record<string, unknown>[] } };
  expect(gatewayEffects.nodes).toContainEqual({
    name: 'payment.succeeded',
    objectKind: 'payment',
    objectId: paymentId,
    isLate: false,
    eventId: encodeNodeId('GatewayEvent', id),
  });
  const theirs = await api().graphql(LISTS, { token: await tokenFor(other.organizationId) });
  expect(Object.values(theirs.data!)).toEqual(Array(5).fill({ nodes: [] }));
});

const ONE = `query ($id: ID!, $payment: String!) {
  gatewayEvent(id: $id) { id type state body }
  gatewayEffects(first: 10, eventId: $id) { nodes { name objectId } }
  gatewayPayment(cfPaymentId: $payment) { cfPaymentId amount { amount } }
  gatewayRefunds(first: 10, paymentId: $payment) { nodes { paymentId } }
}`;

test('an event shows its content without personal data, its effects and its payment', async () => {
  const [mine, other] = [await createTenant(), await createTenant()];
  const payment = `p-${randomUUID()}`;
  const told = { cf_payment_id: payment, payment_status: 'SUCCESS', payment_amount: 12.5 };
  const uuid = await receive(mine, 'PAYMENT_SUCCESS_WEBHOOK', {
    payment: told,
    customer_details: { customer_email: 'somebody@example.com' },
  });
  await receive(mine, 'SETTLEMENT_SUCCESS', { settlement: { settlement_id: `s-${payment}` } });
  await furnishGateway(mine);
  await sql('UPDATE gateway_refunds SET cf_payment_id = $2 WHERE workspace_id = $1', [
    mine.workspaceId,
    payment,
  ]);
  const variables = { id: encodeNodeId('GatewayEvent', uuid), payment };
  const [token, admin, stranger] = [
    await tokenFor(mine.organizationId, { roles: ['member'] }),
    await tokenFor(other.organizationId, { roles: ['platform_admin'] }),
    await tokenFor(other.organizationId),
  ];
  await eventually(async () => {
    const { data, text } = await api().graphql(ONE, { token, variables });
    expect(text).not.toContain('somebody@example.com');
    expect(data).toMatchObject({
      gatewayEvent: { id: variables.id, type: 'PAYMENT_SUCCESS_WEBHOOK', state: 'PROCESSED' },
      gatewayEffects: { nodes: [{ name: 'payment.succeeded', objectId: payment }] },
      gatewayPayment: { cfPaymentId: payment, amount: { amount: '12.50' } },
      gatewayRefunds: { nodes: [{ paymentId: payment }] },
    });
    const { body } = data!.gatewayEvent as { body: string };
    expect(JSON.parse(body)).toMatchObject({
      data: {
        payment: { ...told, payment_amount: '12.5' },
        customer_details: { customer_email: '(withheld)' },
      },
    });
  });
  const admins = await api().graphql(ONE, { token: admin, variables });
  expect(admins.data).toMatchObject({ gatewayEvent: { id: variables.id }, gatewayPayment: null });
  const theirs = await api().graphql(ONE, { token: stranger, variables });
  const nothing = { nodes: [] };
  expect(theirs.data).toEqual({
    gatewayEvent: null,
    gatewayEffects: nothing,
    gatewayPayment: null,
    gatewayRefunds: nothing,
  });
});

test('a workspace can filter its events by state', async () => {
  const tenant = await createTenant();
  const parked = encodeNodeId('GatewayEvent', await createParkedEvent(tenant));
  const token = await tokenFor(tenant.organizationId);
  const document = `{
    parked: gatewayEvents(first: 10, state: PARKED) { nodes { id } }
    failed: gatewayEvents(first: 10, state: FAILED) { nodes { id } }
  }`;
  const { data } = await api().graphql(document, { token });
  expect(data).toEqual({ parked: { nodes: [{ id: parked }] }, failed: { nodes: [] } });
});

test('the list continues after a cursor', async () => {
  const tenant = await createTenant();
  for (let index = 0; index < 3; index++) await createParkedEvent(tenant);
  const token = await tokenFor(tenant.organizationId);
  const ids: string[] = [];
  let after: string | null = null;
  do {
    const { data } = await api().graphql(
      `query ($after: String) { gatewayEvents(first: 1, after: $after) {
         nodes { id } pageInfo { endCursor hasNextPage } } }`,
      { token, variables: { after } },
    );
    const { nodes, pageInfo } = data!.gatewayEvents as {
      nodes: { id: string }[];
      pageInfo: { endCursor: string; hasNextPage: boolean };
    };
    ids.push(...nodes.map(({ id }) => id));
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
  } while (after !== null);
  expect(new Set(ids).size).toBe(3);
});

test('only a platform admin can replay a parked event', async () => {
  const tenant = await createTenant();
  const id = await createParkedEvent(tenant);
  const replay = `mutation ($ids: [ID!]!) { gatewayEventsReplay(input: { ids: $ids }) {
    events { id state } userErrors { code } } }`;
  const variables = { ids: [encodeNodeId('GatewayEvent', id)] };
  const owner = await tokenFor(tenant.organizationId);
  const refused = await api().graphql(replay, { token: owner, variables });
  expect(refused.errors?.[0]?.extensions?.code).toBe('FORBIDDEN');
  const admin = await tokenFor(tenant.organizationId, { roles: ['platform_admin'] });
  // Fixes the error because of which the event was parked.
  const body = {
    type: 'PAYMENT_SUCCESS_WEBHOOK',
    data: { payment: { cf_payment_id: id, payment_status: 'SUCCESS', payment_amount: 1 } },
  };
  await sql(`UPDATE gateway_events SET body = convert_to($2, 'UTF8') WHERE id = $1`, [
    id,
    JSON.stringify(body),
  ]);
  const parked = await api().graphql(
    '{ platformGatewayEvents(first: 100) { nodes { id state error } } }',
    { token: admin },
  );
  expect(parked.text).toContain(variables.ids[0]);
  const { data } = await api().graphql(replay, { token: admin, variables });
  expect(data?.gatewayEventsReplay).toMatchObject({ userErrors: [] });
  await eventually(async () => {
    const [event] = await sql('SELECT state, effect FROM gateway_events WHERE id = $1', [id]);
    expect(event).toEqual({ state: 'PROCESSED', effect: { names: ['payment.succeeded'] } });
  });
  const again = await api().graphql(replay, { token: admin, variables });
  expect(again.data?.gatewayEventsReplay).toMatchObject({
    events: null,
    userErrors: [{ code: 'NOT_FOUND' }],
  });
});
