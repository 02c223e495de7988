// The sums of successful payments and their refunds, by currency.

import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createTenant, sql, type Tenant } from '../../harness/tenant.ts';
import { useSharedApi } from '../harness/api-process.ts';
import { recordPayment } from '../harness/gateway.ts';
import { tokenFor } from '../harness/tokens.ts';

const api = useSharedApi();

const TOTALS = `query (
  $status: String, $methods: [String!], $objectId: String, $since: DateTime, $until: DateTime
) {
  gatewayPaymentTotals(
    status: $status, methods: $methods, objectId: $objectId, since: $since, until: $until
  ) {
    currencyCode
    paymentCount
    paid { amount currencyCode }
    refunded { amount }
    net { amount }
  }
}`;

async function totalsOf(tenant: Tenant, filter: Record<string, unknown> = {}) {
  const token = await tokenFor(tenant.organizationId, { roles: ['member'] });
  const answer = await api().graphql(TOTALS, { token, variables: filter });
  expect(answer.errors, answer.text).toBeUndefined();
  return (answer.data as { gatewayPaymentTotals: unknown }).gatewayPaymentTotals;
}

type Paid = { amountMinor: bigint; orderId?: string; change?: Record<string, string> };

/** Returns the gateway's ID of the payment. */
async function pay(tenant: Tenant, { amountMinor, orderId, change = {} }: Paid): Promise<string> {
  const cfPaymentId = randomUUID();
  const accountId = tenant.workspaceId;
  await recordPayment(tenant, {
    accountId,
    cfPaymentId,
    amountMinor,
    ...(orderId !== undefined && { orderId }),
  });
  for (const [column, value] of Object.entries(change))
    await sql(`UPDATE gateway_payments SET ${column} = $2 WHERE cf_payment_id = $1`, [
      cfPaymentId,
      value,
    ]);
  return cfPaymentId;
}

type Refunded = {
  amountMinor: bigint;
  paymentId?: string;
  orderId?: string;
  status?: string;
  currency?: string;
};

async function refund(tenant: Tenant, of: Refunded): Promise<void> {
  const { amountMinor, paymentId = null, orderId = null } = of;
  await sql(
    `INSERT INTO gateway_refunds (id, account_id, workspace_id, refund_id, cf_payment_id, order_id,
       status, amount_minor, currency)
     VALUES (gen_random_uuid(), $1, $1, gen_random_uuid()::text, $2, $3, $4, $5, $6)`,
    [
      tenant.workspaceId,
      paymentId,
      orderId,
      of.status ?? 'SUCCESS',
      amountMinor,
      of.currency ?? 'INR',
    ],
  );
}

function total(currencyCode: string, paymentCount: number, sums: readonly string[]) {
  const [paid, refunded, net] = sums;
  return {
    currencyCode,
    paymentCount,
    paid: { amount: paid, currencyCode },
    refunded: { amount: refunded },
    net: { amount: net },
  };
}

test('the totals are exact, by currency, and of successful payments and refunds only', async () => {
  const [tenant, other] = [await createTenant(), await createTenant()];
  expect(await totalsOf(tenant)).toEqual([]);
  // More than a double holds exactly.
  await pay(tenant, { amountMinor: 900_719_925_474_099_301n });
  const refunded = await pay(tenant, { amountMinor: 1_000n });
  const yen = await pay(tenant, { amountMinor: 500n, change: { currency: 'JPY' } });
  await pay(tenant, { amountMinor: 70n, change: { status: 'FAILED' } });
  await pay(tenant, { amountMinor: 200n, change: { kind: 'MANDATE_AUTHORIZATION' } });
  await refund(tenant, { paymentId: refunded, amountMinor: 250n });
  await refund(tenant, { paymentId: refunded, amountMinor: 150n });
  await refund(tenant, { paymentId: refunded, amountMinor: 90n, status: 'PENDING' });
  await refund(tenant, { paymentId: yen, amountMinor: 500n, currency: 'JPY' });
  expect(await totalsOf(tenant)).toEqual([
    total('INR', 2, ['9007199254741003.01', '4.00', '9007199254740999.01']),
    total('JPY', 1, ['500', '500', '0']),
  ]);
  expect(await totalsOf(other)).toEqual([]);
});

test('a refund that names only the order counts once, even if the order was paid twice', async () => {
  const tenant = await createTenant();
  const orderId = randomUUID();
  await pay(tenant, { amountMinor: 1_000n, orderId });
  await pay(tenant, { amountMinor: 1_000n, orderId });
  await refund(tenant, { orderId, amountMinor: 1_000n });
  expect(await totalsOf(tenant)).toEqual([total('INR', 2, ['20.00', '10.00', '10.00'])]);
});

test('the totals follow the filters of the list', async () => {
  const tenant = await createTenant();
  const orderId = randomUUID();
  const old = await pay(tenant, {
    amountMinor: 100n,
    change: { created_at: '2026-01-10T00:00:00Z', method: 'UPI' },
  });
  await pay(tenant, { amountMinor: 20n, orderId });
  await refund(tenant, { paymentId: old, amountMinor: 100n });
  const [onlyOld, onlyRecent] = [
    [total('INR', 1, ['1.00', '1.00', '0.00'])],
    [total('INR', 1, ['0.20', '0.00', '0.20'])],
  ];
  for (const [filter, expected] of [
    [{ status: 'SUCCESS' }, [total('INR', 2, ['1.20', '1.00', '0.20'])]],
    [{ status: 'FAILED' }, []],
    [{ methods: ['upi'] }, onlyOld],
    [{ methods: ['wallet'] }, []],
    [{ methods: [] }, []],
    [{ objectId: orderId }, onlyRecent],
    [{ objectId: old }, onlyOld],
    [{ objectId: randomUUID() }, []],
    [{ since: '2026-01-10T00:00:00.001Z' }, onlyRecent],
    [{ until: '2026-01-11T00:00:00Z' }, onlyOld],
    [{ since: '2026-01-10T00:00:00Z', until: '2026-01-10T00:00:00Z' }, []],
  ] as const)
    expect(await totalsOf(tenant, filter), JSON.stringify(filter)).toEqual(expected);
});

test('more payments than can be summed are refused', async () => {
  const tenant = await createTenant();
  await sql(
    `INSERT INTO gateway_payments (id, account_id, workspace_id, cf_payment_id, kind, status,
       amount_minor, currency, created_at)
     SELECT gen_random_uuid(), $1, $1, 'p-' || n, 'ONE_TIME', 'SUCCESS', 1, 'INR',
       '2026-01-01T00:00:00Z'::timestamptz + n * interval '1 second'
     FROM generate_series(0, 100000) n`,
    [tenant.workspaceId],
  );
  const token = await tokenFor(tenant.organizationId, { roles: ['member'] });
  const answer = await api().graphql(TOTALS, { token });
  expect(answer.errors).toMatchObject([
    {
      extensions: { reason: 'REPORT_TOO_LARGE' },
      message: expect.stringMatching(/^More than 100000 successful payments match\./),
    },
  ]);
  expect(await totalsOf(tenant, { since: '2026-01-01T00:00:01Z' })).toEqual([
    total('INR', 100_000, ['1000.00', '0.00', '1000.00']),
  ]);
});
