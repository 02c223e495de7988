// Creates refunds over HTTP, down to the gateway.

import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { sql } from '../../harness/tenant.ts';
import {
  createMerchant,
  make,
  ORDER_INPUT,
  recordPayment,
  useApiWithGateway,
} from '../harness/gateway.ts';
import { tryMutation } from '../harness/mutate.ts';
import { gatewayCalls, type Shown } from './making-scene.ts';

// Short, because some of these calls hang, but long enough for a busy machine.
const parts = useApiWithGateway({ GATEWAY_TIMEOUT_MS: '1500' });
const { api } = parts;

const { paidOrder, callsOf } = gatewayCalls(parts);

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
