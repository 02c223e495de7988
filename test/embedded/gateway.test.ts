// The development gateway, called with the vendor's own client.

import { expect, test } from 'vitest';
import { PLATFORM_CLIENT_ID, PLATFORM_CLIENT_SECRET, useGateway } from '../harness/gateway.ts';
import { send } from '../harness/http.ts';

const gateway = useGateway();

type Json = Record<string, unknown>;

async function call(method: 'GET' | 'POST', path: string, body?: Json): Promise<Json> {
  const answer = await send(`${gateway().env.GATEWAY_BASE_URL}${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      'x-client-id': PLATFORM_CLIENT_ID,
      'x-client-secret': PLATFORM_CLIENT_SECRET,
      'x-api-version': '2025-01-01',
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  expect(answer.status, answer.text).toBe(200);
  return answer.json();
}

test('creates an ID for an order without one, and finds its payments and refunds', async () => {
  const order = await call('POST', '/orders', {
    order_amount: 100,
    order_currency: 'INR',
    customer_details: { customer_id: 'shopper', customer_phone: '9999999999' },
  });
  const path = `/orders/${order.order_id as string}`;
  expect(await call('GET', path)).toMatchObject({ order_id: order.order_id });
  await gateway().control(`orders/${order.order_id as string}/pay`, { method: 'upi' });
  // Payment IDs are too large for JavaScript numbers, so they are read from the text.
  const [payment] = (await list(`${path}/payments`)) as [string];
  const id = /"cf_payment_id":"?(\d+)/.exec(payment)![1]!;
  expect(await call('GET', `${path}/payments/${id}`)).toMatchObject({ payment_status: 'SUCCESS' });
  await call('POST', `${path}/refunds`, { refund_id: 'refund1', refund_amount: 40 });
  expect(await list(`${path}/refunds`)).toEqual([expect.stringContaining('"refund1"')]);
});

/** Returns the JSON text of each item. */
async function list(path: string): Promise<string[]> {
  const answer = await send(`${gateway().env.GATEWAY_BASE_URL}${path}`, {
    method: 'GET',
    headers: {
      'x-client-id': PLATFORM_CLIENT_ID,
      'x-client-secret': PLATFORM_CLIENT_SECRET,
      'x-api-version': '2025-01-01',
    },
  });
  expect(answer.status, answer.text).toBe(200);
  const count = (answer.json() as unknown as unknown[]).length;
  return count === 1 ? [answer.text] : [];
}
