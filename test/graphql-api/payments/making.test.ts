// Creates links, orders, plans and subscriptions over HTTP, down to the gateway.

import { randomUUID } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../harness/eventually.ts';
import { sql } from '../../harness/tenant.ts';
import {
  createMerchant,
  LINK_INPUT,
  type Merchant,
  make,
  ORDER_INPUT,
  PLAN_INPUT,
  subscriptionInput,
  useApiWithGateway,
} from '../harness/gateway.ts';
import { mutate, refusals } from '../harness/mutate.ts';
import { gatewayCalls, rowsOf, type Shown } from './making-scene.ts';

// Short, because some of these calls hang, but long enough for a busy machine.
const parts = useApiWithGateway({ GATEWAY_TIMEOUT_MS: '1500' });
const { api, gateway } = parts;

const { paidOrder, faultNext, callsOf } = gatewayCalls(parts);

/**
 * Sends a gateway event, signed with the merchant's secret, and waits until it has taken effect.
 */
async function tell({ workspaceId }: Merchant, event: object): Promise<void> {
  const id = uuidv7();
  await sql(
    `INSERT INTO gateway_events (id, account_id, event_key, type, family, body, verified_field,
       verified_generation, received_at, next_attempt_at)
     VALUES ($1::uuid, $2, $1::text, '', '', $3, 'webhook_secret', 'CURRENT', now(), now())`,
    [id, workspaceId, Buffer.from(JSON.stringify(event))],
  );
  await eventually(async () =>
    expect(await sql('SELECT state FROM gateway_events WHERE id = $1', [id])).toEqual([
      { state: 'PROCESSED' },
    ]),
  );
}

describe.concurrent('a link', () => {
  test('is created in rupees, with the workspace as the first note, and canceled once', async () => {
    const merchant = await createMerchant(parts);
    const notes = ['b', '10', 'a', '2'].map(name => ({ name, value: `line\nof ${name}` }));
    const { made } = await make<Shown>(
      api(),
      merchant,
      'gatewayLinkCreate',
      { ...LINK_INPUT, notes },
      {
        shown: 'id status linkId url amount { amount } notes { name value }',
      },
    );
    expect(made).toMatchObject({
      status: 'ACTIVE',
      amount: { amount: '170.50' },
      url: expect.stringContaining('/checkout/links/'),
    });
    const [call] = await callsOf(merchant, 'POST /links');
    expect(call!.idempotencyKey).toBe(made!.linkId);
    expect(call!.body).toContain('"link_amount":170.50');
    expect(call!.body).toContain(
      `"link_notes":{"workspace_id":"${merchant.workspaceId}","b":"line of b","10":"line of 10","a":"line of a","2":"line of 2"}`,
    );
    const asker = { api: api(), tenant: merchant };
    for (let time = 0; time < 2; time++) {
      const { gatewayLink } = await mutate<{ gatewayLink: Shown }>(
        asker,
        'gatewayLinkCancel',
        { id: made!.id! },
        'gatewayLink { status }',
      );
      expect(gatewayLink.status).toBe('CANCELLED');
    }
    expect(await callsOf(merchant, `POST /links/${made!.linkId}/cancel`)).toHaveLength(1);
  });

  test('is refused with the gateway’s message, and again with the same key', async () => {
    const merchant = await createMerchant(parts);
    const key = randomUUID();
    const input = { ...LINK_INPUT, amount: '0.50' };
    const first = await make(api(), merchant, 'gatewayLinkCreate', input, { key });
    expect(first).toMatchObject({ made: null, codes: ['GATEWAY_REFUSED'] });
    expect(first.messages[0]).toContain('link_amount');
    expect(await make(api(), merchant, 'gatewayLinkCreate', input, { key })).toEqual(first);
    expect(await callsOf(merchant, 'POST /links')).toHaveLength(1);
    const other = await make(api(), merchant, 'gatewayLinkCreate', LINK_INPUT, { key });
    expect(other.codes).toEqual(['IDEMPOTENCY_KEY_MISMATCH']);
  });

  test('requested twenty times concurrently with one key is one link', async () => {
    const merchant = await createMerchant(parts);
    const key = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        make(api(), merchant, 'gatewayLinkCreate', LINK_INPUT, { key }),
      ),
    );
    expect(new Set(answers.map(({ made }) => made?.id)).size).toBe(1);
    expect(await rowsOf(merchant, 'gateway_links')).toHaveLength(1);
  });
});

describe.concurrent('an unknown outcome', () => {
  test.for(['HANG_AFTER', 'DROP_AFTER', 'ERROR_AFTER', 'HTML', 'HANG'])(
    'after %s leaves a refund in CREATING, and a repeat finds or creates exactly one',
    async kind => {
      const merchant = await createMerchant(parts);
      const paymentId = await paidOrder(merchant);
      await faultNext(merchant, 'POST /orders/', kind, 3);
      const key = randomUUID();
      const input = { paymentId, amount: '60' };
      const first = await make(api(), merchant, 'gatewayRefundCreate', input, { key });
      expect(first.codes).toEqual(['GATEWAY_UNAVAILABLE']);
      expect(await rowsOf(merchant, 'gateway_refunds')).toMatchObject([{ status: 'CREATING' }]);
      // The unconfirmed refund counts toward the amount that cannot be refunded again.
      const more = await make(api(), merchant, 'gatewayRefundCreate', { paymentId, amount: '60' });
      expect(more.codes).toEqual(['REFUND_EXCEEDS_PAYMENT']);
      const again = await make<Shown>(api(), merchant, 'gatewayRefundCreate', input, {
        key,
        shown: 'status refundId amount { amount }',
      });
      expect(again.made).toMatchObject({ status: 'PENDING', amount: { amount: '60.00' } });
      const rows = await rowsOf(merchant, 'gateway_refunds');
      expect(rows).toMatchObject([{ refund_id: again.made!.refundId, cf_id: expect.any(String) }]);
      const calls = await callsOf(merchant, 'POST /orders/');
      const ids = new Set(calls.map(({ idempotencyKey }) => idempotencyKey));
      expect([...ids]).toEqual([again.made!.refundId]);
    },
  );

  test('is queried if a repeat is refused, because the first attempt may have succeeded', async () => {
    const merchant = await createMerchant(parts);
    const paymentId = await paidOrder(merchant);
    await faultNext(merchant, 'POST /orders/', 'DROP_AFTER');
    await faultNext(merchant, 'POST /orders/', 'REFUSE');
    const input = { paymentId, amount: '60' };
    const { made } = await make<Shown>(api(), merchant, 'gatewayRefundCreate', input);
    expect(made).toMatchObject({ status: 'PENDING' });
    const more = await make(api(), merchant, 'gatewayRefundCreate', input);
    expect(more.codes).toEqual(['REFUND_EXCEEDS_PAYMENT']);
  });

  test('stays unknown while the gateway is processing the call, and is resolved by the first response', async () => {
    const merchant = await createMerchant(parts);
    const key = randomUUID();
    const link = () => make<Shown>(api(), merchant, 'gatewayLinkCreate', LINK_INPUT, { key });
    await faultNext(merchant, 'POST /links', 'BUSY_WITH_IT');
    expect((await link()).codes).toEqual(['GATEWAY_UNAVAILABLE']);
    expect(await rowsOf(merchant, 'gateway_links')).toMatchObject([{ status: 'CREATING' }]);
    await faultNext(merchant, 'POST /links', 'HANG_AFTER');
    const hanging = link();
    await eventually(async () => expect(await callsOf(merchant, 'POST /links')).toHaveLength(2));
    // Simulates a concurrent repeat that the gateway refused.
    await sql(`UPDATE gateway_links SET status = 'REFUSED' WHERE workspace_id = $1`, [
      merchant.workspaceId,
    ]);
    expect((await hanging).made).toMatchObject({ status: 'ACTIVE' });
  });

  test.for([
    ['gatewayOrderCreate', 'POST /orders', 'gateway_orders', 'paymentSessionId'],
    [
      'gatewaySubscriptionCreate',
      'POST /subscriptions',
      'gateway_subscriptions',
      'mandateAuthorizationUrl',
    ],
  ] as const)(
    'of %s is also resolved if the gateway was queried in the meantime',
    async ([name, call, table, shown]) => {
      const merchant = await createMerchant(parts);
      const plan = await make<Shown>(api(), merchant, 'gatewayPlanCreate', PLAN_INPUT);
      const input = name === 'gatewayOrderCreate' ? ORDER_INPUT : subscriptionInput(plan.made!.id!);
      const key = randomUUID();
      await faultNext(merchant, call, 'DROP_AFTER', 3);
      const first = await make(api(), merchant, name, input, { key });
      expect(first.codes).toEqual(['GATEWAY_UNAVAILABLE']);
      // Simulates the reconciler, which does not receive the payment session.
      await sql(`UPDATE ${table} SET status = 'ACTIVE' WHERE workspace_id = $1`, [
        merchant.workspaceId,
      ]);
      const { made } = await make<Shown>(api(), merchant, name, input, { key, shown });
      expect(made![shown]).toEqual(expect.any(String));
    },
  );

  test('because of refused credentials is resolved by a repeat', async () => {
    const merchant = await createMerchant(parts);
    await gateway().control('accounts', { clientId: merchant.clientId, clientSecret: 'rotated' });
    const key = randomUUID();
    const denied = await make(api(), merchant, 'gatewayOrderCreate', ORDER_INPUT, { key });
    expect(denied.codes).toEqual(['GATEWAY_DENIED']);
    const { clientId, clientSecret } = merchant;
    await gateway().control('accounts', { clientId, clientSecret });
    const { made } = await make<Shown>(api(), merchant, 'gatewayOrderCreate', ORDER_INPUT, { key });
    expect(made!.status).toBe('ACTIVE');
  });
});

describe.concurrent('a subscription', () => {
  test('keeps its tags in order, returns the authorization URL, and can be managed', async () => {
    const merchant = await createMerchant(parts);
    const plan = await make<Shown>(api(), merchant, 'gatewayPlanCreate', PLAN_INPUT);
    expect(plan.made!.status).toBe('ACTIVE');
    const tags = ['b', '10', 'a', '2'].map(name => ({ name, value: name }));
    const input = { ...subscriptionInput(plan.made!.id!), tags };
    const { made } = await make<Shown>(api(), merchant, 'gatewaySubscriptionCreate', input, {
      shown: 'id status subscriptionId mandateAuthorizationUrl tags { name }',
    });
    expect(made).toMatchObject({
      status: 'INITIALIZED',
      mandateAuthorizationUrl: expect.stringContaining('/checkout/subscriptions/'),
      tags: ['workspace_id', 'b', '10', 'a', '2'].map(name => ({ name })),
    });
    const [call] = await callsOf(merchant, 'POST /subscriptions');
    expect(call!.body).toContain(
      `"subscription_tags":{"workspace_id":"${merchant.workspaceId}","b":"b","10":"10","a":"a","2":"2"}`,
    );
    const asker = { api: api(), tenant: merchant };
    const id = made!.id!;
    const status = async (args: Record<string, unknown>) => {
      const shown = 'gatewaySubscription { status }';
      const payload = await mutate<{ gatewaySubscription: Shown }>(
        asker,
        'gatewaySubscriptionManage',
        { id, input: args },
        shown,
      );
      return payload.gatewaySubscription.status;
    };
    expect(await status({ action: 'PAUSE' })).toBe('PAUSED');
    await tell(merchant, {
      type: 'SUBSCRIPTION_STATUS_CHANGED',
      event_time: new Date(Date.now() - 60_000).toISOString(),
      data: {
        subscription_details: {
          subscription_id: made!.subscriptionId,
          subscription_status: 'ACTIVE',
        },
      },
    });
    expect(await rowsOf(merchant, 'gateway_subscriptions')).toMatchObject([{ status: 'PAUSED' }]);
    expect(await status({ action: 'ACTIVATE', nextChargeAt: '2030-01-01T00:00:00Z' })).toBe(
      'ACTIVE',
    );
    expect(await status({ action: 'CANCEL' })).toBe('CANCELLED');
    const ended = { id, input: { action: 'PAUSE' } };
    expect(await refusals(asker, 'gatewaySubscriptionManage', ended)).toEqual([
      'GATEWAY_STATUS id',
    ]);
  });
});

test('the credentials are tested, and the result is stored', async () => {
  const merchant = await createMerchant(parts);
  const asker = { api: api(), tenant: merchant };
  const shown = 'isAccepted code';
  expect(await mutate(asker, 'gatewayCredentialsTest', {}, shown)).toMatchObject({
    isAccepted: true,
    code: 'OK',
  });
  // The credentials are replaced while they are being tested.
  const { clientId } = merchant;
  const fault = { on: 'GET /orders/', kind: 'RATE_LIMIT', retryAfterSeconds: '1', times: '1' };
  await gateway().control('faults', { clientId, ...fault });
  const before = (await callsOf(merchant, 'GET /orders/')).length;
  const trying = mutate(asker, 'gatewayCredentialsTest', {}, shown);
  await eventually(async () =>
    expect(await callsOf(merchant, 'GET /orders/')).toHaveLength(before + 1),
  );
  const place = [merchant.workspaceId];
  await sql(
    `UPDATE gateway_credentials SET client_id = 'another', checked_at = NULL, check_result = NULL
     WHERE workspace_id = $1`,
    place,
  );
  expect(await trying).toMatchObject({ isAccepted: true });
  expect(await rowsOf(merchant, 'gateway_credentials')).toMatchObject([{ check_result: null }]);
  await sql('UPDATE gateway_credentials SET client_id = $2 WHERE workspace_id = $1', [
    ...place,
    clientId,
  ]);
  await gateway().control('accounts', { clientId: merchant.clientId, clientSecret: 'rotated' });
  expect(await mutate(asker, 'gatewayCredentialsTest', {}, shown)).toMatchObject({
    isAccepted: false,
    code: 'request_failed',
  });
  expect(await rowsOf(merchant, 'gateway_credentials')).toMatchObject([
    { check_result: 'request_failed' },
  ]);
});
