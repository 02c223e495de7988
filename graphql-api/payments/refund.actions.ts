// Refunds never exceed the payment. They are summed under the lock of the payment, including those
// whose outcome is unknown, before the gateway is called.

import { mintId } from '../../schema/gateway/minted-id.ts';
import { type ExactJson, textField } from '../../schema/values/exact-json.ts';
import { kysely, type RowOf, sql } from '../platform/database/kysely.ts';
import { decimalOf } from '../platform/money.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import type { GatewayRequest } from './client/gateway-client.ts';
import { amountMinorOf, decimalAmount, saysAmount } from './client/wire-values.ts';
import { UNDONE_REFUND_STATUSES } from './facts/refund-state.ts';
import { makeAtGateway } from './make-at-gateway.ts';
import type { GatewayRefundCreate } from './refund.contract.ts';
import { GatewayRefund } from './refund.entity.ts';

const NAMES = { amount: 'refund_amount', currency: 'refund_currency' };

export const gatewayRefundCreate = makeAtGateway<GatewayRefund, GatewayRefundCreate>({
  entity: GatewayRefund,
  noun: 'gateway_refund',
  async draft(scope, input, { id }) {
    const payment = await lockPayment(scope, input.paymentId);
    const { currency } = payment;
    const leftMinor = payment.amountMinor - (await givenBack(scope, input.paymentId, payment));
    const amountMinor =
      input.amount == null ? leftMinor : amountMinorOf(input.amount, currency, 'amount');
    if (amountMinor <= 0n || amountMinor > leftMinor)
      reject('REFUND_EXCEEDS_PAYMENT', {
        field: ['amount'],
        message: `Only ${decimalOf({ amountMinor: leftMinor, currencyCode: currency })} ${currency} of the payment can still be refunded.`,
      });
    const refundId = mintId('refund', scope.viewer.workspaceId!, id);
    const amount = decimalOf({ amountMinor, currencyCode: currency });
    return {
      columns: {
        // The account of the payment, which may differ from the workspace's current account.
        accountId: payment.accountId,
        refundId,
        cfPaymentId: input.paymentId,
        orderId: payment.subscriptionId === null ? payment.orderId : null,
        subscriptionId: payment.subscriptionId,
        amountMinor,
        currency,
        speed: speedOf(payment, input.speed ?? undefined),
        note: input.note ?? null,
      },
      shown: { refundId, paymentId: input.paymentId, amount, currency },
    };
  },
  create,
  look: row => ({
    method: 'GET',
    path: [...ownerPath(row), 'refunds', row.refundId],
    call: 'getRefund',
  }),
  read,
  isSame: (body, row) => saysAmount(body, NAMES, row),
});

/** A payment with the methods of its mandate, if it has one. */
type PaidPayment = RowOf<'gateway_payments'> & {
  readonly mandateMethod: string | null;
  readonly paymentMethods: readonly string[] | null;
};

/**
 * Held until the refund's row is inserted. A concurrent refund of the payment waits here and then
 * includes this one in its sum.
 */
async function lockPayment({ em, viewer }: ActionScope, cfPaymentId: string): Promise<PaidPayment> {
  const payment = await kysely(em)
    .selectFrom('gateway_payments as payment')
    .leftJoin('gateway_subscriptions as subscription', join =>
      join
        .onRef('subscription.accountId', '=', 'payment.accountId')
        .onRef('subscription.subscriptionId', '=', 'payment.subscriptionId'),
    )
    .selectAll('payment')
    .select(['subscription.paymentMethod as mandateMethod', 'subscription.paymentMethods'])
    .where('payment.workspaceId', '=', viewer.workspaceId!)
    .where('payment.cfPaymentId', '=', cfPaymentId)
    .orderBy('payment.createdAt', 'desc')
    .limit(1)
    .forUpdate('payment')
    .executeTakeFirst();
  if (payment === undefined)
    return reject('NOT_FOUND', {
      field: ['paymentId'],
      message: 'No payment exists with this ID in the workspace.',
    });
  const hasOwner = payment.orderId !== null || payment.subscriptionId !== null;
  if (payment.status !== 'SUCCESS' || !hasOwner)
    return reject('PAYMENT_NOT_REFUNDABLE', { field: ['paymentId'] });
  return payment;
}

/** Includes pending refunds, since they may have been performed. */
async function givenBack(
  { em }: ActionScope,
  cfPaymentId: string,
  { accountId, orderId }: PaidPayment,
): Promise<bigint> {
  const { sum } = await kysely(em)
    .selectFrom('gateway_refunds')
    .select(sql<bigint>`coalesce(sum(amount_minor), 0)::bigint`.as('sum'))
    .where('accountId', '=', accountId)
    .where(eb =>
      eb.or([
        eb('cfPaymentId', '=', cfPaymentId),
        eb.and([eb('cfPaymentId', 'is', null), eb('orderId', '=', orderId)]),
      ]),
    )
    .where('status', 'not in', UNDONE_REFUND_STATUSES)
    .executeTakeFirstOrThrow();
  return sum;
}

type Speed = 'STANDARD' | 'INSTANT';

/** The mandate method determines the speed: UPI allows only STANDARD, NACH only INSTANT. */
function speedOf(payment: PaidPayment, wanted: Speed | undefined): Speed {
  const only = payment.subscriptionId === null ? undefined : onlySpeed(payment);
  if (only !== undefined && wanted !== undefined && wanted !== only)
    return reject('BAD_USER_INPUT', {
      field: ['speed'],
      message: `speed must be ${only} for this payment’s method.`,
    });
  return only ?? wanted ?? 'STANDARD';
}

function onlySpeed({ method, mandateMethod, paymentMethods }: PaidPayment): Speed | undefined {
  const [only, ...others] = paymentMethods ?? [];
  const known = method ?? mandateMethod ?? (others.length === 0 ? only : undefined) ?? '';
  if (/^upi/i.test(known)) return 'STANDARD';
  return /nach/i.test(known) ? 'INSTANT' : undefined;
}

function create(row: GatewayRefund): GatewayRequest {
  const { refundId, currency, subscriptionId } = row;
  return {
    method: 'POST',
    path: [...ownerPath(row), 'refunds'],
    call: 'createRefund',
    // The gateway treats another key as another refund.
    idempotencyKey: refundId,
    body: {
      refund_id: refundId,
      refund_amount: decimalAmount(row.amountMinor, currency),
      refund_note: row.note ?? undefined,
      refund_speed: row.speed ?? undefined,
      ...(subscriptionId != null && {
        subscription_id: subscriptionId,
        cf_payment_id: row.cfPaymentId ?? undefined,
      }),
    },
  };
}

function ownerPath({ subscriptionId, orderId }: GatewayRefund): string[] {
  return subscriptionId == null ? ['orders', orderId!] : ['subscriptions', subscriptionId];
}

/** The final status comes from events only, so that it has its effect once. */
function read(body: ExactJson) {
  return { status: 'PENDING', cfId: textField(body, 'cf_refund_id') ?? null };
}
