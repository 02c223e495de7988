// Creates links, orders, plans, subscriptions, vendors and refunds over HTTP, down to the gateway.

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
  recordPayment,
  subscriptionInput,
  useApiWithGateway,
  VENDOR_INPUT,
} from '../harness/gateway.ts';
import { mutate, refusals, tryMutation } from '../harness/mutate.ts';

// Short, because some of these calls hang, but long enough for a busy machine.
const parts = useApiWithGateway({ GATEWAY_TIMEOUT_MS: '1500' });
const { api, gateway } = parts;

type Shown = Record<string, string>;

/** Creates an order and the events of its payment. */
async function paidOrder(merchant: Merchant, amount = '100.00'): Promise<string> {
  const { made } = await make<Shown>(
    api(),
    merchant,
    'gatewayOrderCreate',
    { ...ORDER_INPUT, amount },
    {
      shown: 'orderId',
    },
  );
  const { orderId } = made!;
  const { cfPaymentId } = await gateway().control(`orders/${orderId}/pay`);
  await recordPayment(merchant, {
    accountId: merchant.workspaceId,
    cfPaymentId: cfPaymentId!,
    amountMinor: BigInt(amount.replace('.', '')),
    orderId: orderId!,
  });
  return cfPaymentId!;
}

async function faultNext({ clientId }: Merchant, on: string, kind: string, times = 1) {
  await gateway().control('faults', { clientId, on, kind, times: String(times) });
}

async function callsOf({ clientId }: Merchant, on: string) {
  return (await gateway().calls(on)).filter(call => call.clientId === clientId);
}

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

async function rowsOf({ workspaceId }: Merchant, table: string) {
  return sql(`SELECT * FROM ${table} WHERE workspace_id = $1`, [workspaceId]);
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

describe.concurrent('refunds', () => {
  test('that are concurrent never exceed the payment', async () => {
    const merchant = await createMerchant(parts);
    const paymentId = await paidOrder(merchant, '100.00');
    const answers = await Promise.all(
      Array.from({ length: 12 }, () =>
        make(api(), merchant, 'gatewayRefundCreate', { paymentId, amount: '30' }),
      ),
    );
    const refused = answers.filter(({ codes }) => codes.includes('REFUND_EXCEEDS_PAYMENT'));
    expect(answers.filter(({ made }) => made !== null)).toHaveLength(3);
    expect(refused).toHaveLength(9);
    const rest = await make<Shown>(
      api(),
      merchant,
      'gatewayRefundCreate',
      { paymentId },
      {
        shown: 'amount { amount }',
      },
    );
    expect(rest.made).toEqual({ amount: { amount: '10.00' } });
  });

  test('made in the gateway’s dashboard count, also those that name only the order', async () => {
    const merchant = await createMerchant(parts);
    const paymentId = await paidOrder(merchant, '100.00');
    await sql(
      `INSERT INTO gateway_refunds (id, account_id, workspace_id, refund_id, status, order_id,
         amount_minor, currency)
       SELECT gen_random_uuid(), account_id, workspace_id, 'by-hand', 'SUCCESS', order_id, 7000, 'INR'
       FROM gateway_payments WHERE cf_payment_id = $1`,
      [paymentId],
    );
    const input = { paymentId, amount: '40' };
    const answer = await make(api(), merchant, 'gatewayRefundCreate', input);
    expect(answer.codes).toEqual(['REFUND_EXCEEDS_PAYMENT']);
  });

  test('that the gateway refuses leave the payment unchanged', async () => {
    const merchant = await createMerchant(parts);
    const { made } = await make<Shown>(api(), merchant, 'gatewayOrderCreate', ORDER_INPUT, {
      shown: 'orderId',
    });
    const payment = { accountId: merchant.workspaceId, amountMinor: 10_000n };
    const [cfPaymentId, orderId] = ['not-paid-there', made!.orderId!];
    await recordPayment(merchant, { ...payment, cfPaymentId, orderId });
    for (let time = 0; time < 2; time++) {
      const answer = await make(api(), merchant, 'gatewayRefundCreate', { paymentId: cfPaymentId });
      expect(answer.codes).toEqual(['GATEWAY_REFUSED']);
    }
  });

  test.for([
    ['upi', 'INSTANT', 'STANDARD'],
    ['enach', 'STANDARD', 'INSTANT'],
    ['pnach', 'STANDARD', 'INSTANT'],
  ] as const)('of a mandate by %s are not %s but %s', async ([method, wrong, right]) => {
    const merchant = await createMerchant(parts);
    const cfPaymentId = `renewal-${randomUUID()}`;
    const { workspaceId: accountId } = merchant;
    const owner = { subscriptionId: 'some-subscription', method };
    await recordPayment(merchant, { accountId, cfPaymentId, amountMinor: 5_000n, ...owner });
    const asked = { paymentId: cfPaymentId, amount: '10' };
    const asker = { api: api(), tenant: merchant };
    const input = { ...asked, speed: wrong };
    const answer = await make(api(), merchant, 'gatewayRefundCreate', input);
    expect(answer.codes).toEqual(['BAD_USER_INPUT']);
    // The gateway does not know this subscription; only the request is checked here.
    await make(api(), merchant, 'gatewayRefundCreate', asked);
    const [call] = await callsOf(merchant, 'POST /subscriptions/some-subscription/refunds');
    expect(call!.body).toContain(`"refund_speed":"${right}"`);
    expect(asker.tenant).toBe(merchant);
  });

  test('of another tenant’s payment are not found, and members cannot create refunds', async () => {
    const [merchant, other] = [await createMerchant(parts), await createMerchant(parts)];
    const paymentId = await paidOrder(merchant);
    const answer = await make(api(), other, 'gatewayRefundCreate', { paymentId });
    expect(answer.codes).toEqual(['NOT_FOUND']);
    const asker = { api: api(), tenant: merchant, role: 'member' as const };
    const refused = await tryMutation(
      asker,
      'gatewayRefundCreate',
      { input: { paymentId } },
      '__typename',
    );
    expect(refused.errors?.[0]?.extensions?.code).toBe('FORBIDDEN');
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

describe.concurrent('a vendor', () => {
  test('can be updated while its KYC is pending, and deleted only while it is active', async () => {
    const merchant = await createMerchant(parts);
    const { made } = await make<Shown>(api(), merchant, 'gatewayVendorCreate', VENDOR_INPUT, {
      shown: 'id status vendorId receiver',
    });
    expect(made).toMatchObject({ status: 'IN_BENE_CREATION', receiver: '…@bank' });
    const [call] = await callsOf(merchant, 'POST /easy-split/vendors');
    expect(call!.body).toContain('"vendor_capabilities":["UPI"]');
    const asker = { api: api(), tenant: merchant };
    const id = made!.id!;
    const become = async (status: string) => {
      await gateway().control(`vendors/${made!.vendorId}/status`, { status });
      await sql('UPDATE gateway_vendors SET status = $1 WHERE vendor_id = $2', [
        status,
        made!.vendorId,
      ]);
    };
    await become('KYC_PENDING');
    const edit = { id, input: { name: 'Asha and Sons' } };
    await mutate(asker, 'gatewayVendorUpdate', edit, '__typename');
    expect(await refusals(asker, 'gatewayVendorDelete', { id })).toEqual(['GATEWAY_STATUS id']);
    await become('ACTIVE');
    const { gatewayVendor } = await mutate<{ gatewayVendor: Shown }>(
      asker,
      'gatewayVendorDelete',
      { id },
      'gatewayVendor { status name }',
    );
    expect(gatewayVendor).toEqual({ status: 'DELETED', name: 'Asha and Sons' });
  });

  test('with a bank account needs no capabilities, and only the last digits are stored', async () => {
    const merchant = await createMerchant(parts);
    const bank = {
      accountNumber: '026291800001191',
      ifsc: 'YESB0000262',
      accountHolder: 'Asha Rao',
    };
    const input = { ...VENDOR_INPUT, upi: undefined, bank };
    const { made } = await make<Shown>(api(), merchant, 'gatewayVendorCreate', input, {
      shown: 'receiver receivesBy',
    });
    expect(made).toEqual({ receiver: '…1191', receivesBy: 'BANK' });
    const [call] = await callsOf(merchant, 'POST /easy-split/vendors');
    expect(call!.body).not.toContain('vendor_capabilities');
    expect(JSON.stringify(await rowsOf(merchant, 'gateway_vendors'))).not.toContain(
      '026291800001191',
    );
  });

  test('of the business type Other is refused, with the fields to send instead', async () => {
    const merchant = await createMerchant(parts);
    const input = { ...VENDOR_INPUT, businessType: 'Other' };
    const { codes, messages } = await make(api(), merchant, 'gatewayVendorCreate', input);
    expect(codes).toEqual(['BAD_USER_INPUT']);
    expect(messages[0]).toContain('Miscellaneous');
    expect(await callsOf(merchant, 'POST /easy-split')).toEqual([]);
  });

  test('gets its part of an order once it is active, never more than the total', async () => {
    const merchant = await createMerchant(parts);
    const { made } = await make<Shown>(api(), merchant, 'gatewayVendorCreate', VENDOR_INPUT, {
      shown: 'id vendorId',
    });
    const order = (split: Record<string, string>) =>
      make<Shown>(
        api(),
        merchant,
        'gatewayOrderCreate',
        {
          ...ORDER_INPUT,
          splits: [{ id: made!.id, ...split }],
        },
        { shown: 'splits { vendorId percentage amount { amount } }' },
      );
    expect((await order({ percentage: '10' })).codes).toEqual(['GATEWAY_STATUS']);
    await gateway().control(`vendors/${made!.vendorId}/status`, { status: 'ACTIVE' });
    await sql(`UPDATE gateway_vendors SET status = 'ACTIVE' WHERE vendor_id = $1`, [
      made!.vendorId,
    ]);
    expect((await order({ amount: '170.51' })).codes).toEqual(['BAD_USER_INPUT']);
    expect((await order({ amount: '170.50' })).made).toEqual({
      splits: [{ vendorId: made!.vendorId, percentage: null, amount: { amount: '170.50' } }],
    });
    const calls = await callsOf(merchant, 'POST /orders');
    expect(calls.at(-1)!.body).toContain(
      `"order_splits":[{"vendor_id":"${made!.vendorId}","amount":170.50}]`,
    );
  });
});

test('vendors can share the whole amount of an order, to the last hundredth', async () => {
  const merchant = await createMerchant(parts);
  // As binary fractions, their sum exceeds 100.
  const splits = await Promise.all(
    ['14.21', '49.84', '35.95'].map(async percentage => {
      const { made } = await make<Shown>(api(), merchant, 'gatewayVendorCreate', VENDOR_INPUT, {
        shown: 'id vendorId',
      });
      await gateway().control(`vendors/${made!.vendorId}/status`, { status: 'ACTIVE' });
      return { id: made!.id, percentage };
    }),
  );
  await sql(`UPDATE gateway_vendors SET status = 'ACTIVE' WHERE workspace_id = $1`, [
    merchant.workspaceId,
  ]);
  const order = (list: object[]) =>
    make<Shown>(api(), merchant, 'gatewayOrderCreate', { ...ORDER_INPUT, splits: list });
  expect((await order(splits)).made).toMatchObject({ status: 'ACTIVE' });
  const more = splits.with(2, { ...splits[2]!, percentage: '35.96' });
  expect((await order(more)).codes).toEqual(['BAD_USER_INPUT']);
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
