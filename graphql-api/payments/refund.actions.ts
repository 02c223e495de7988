// Refunds never exceed the payment. They are summed under the lock of the payment, including those
// whose outcome is unknown, before the gateway is called.

import { mintId } from '../../schema/gateway/minted-id.ts';
import { decimalOf } from '../../schema/values/money.ts';
import type { Context } from '../platform/context.ts';
import { type ExactJson, textField } from '../platform/exact-json.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import type { GatewayRequest } from './client/gateway-client.ts';
import { amountMinorOf, decimalAmount, saysAmount } from './client/wire-values.ts';
import { type Making, makeAtGateway } from './make-at-gateway.ts';
import type { GatewayRefundCreate } from './refund.contract.ts';
import { GatewayRefund } from './refund.entity.ts';

const NAMES = { amount: 'refund_amount', currency: 'refund_currency' };

export function gatewayRefundCreate(
  context: Context,
  input: GatewayRefundCreate,
  idempotencyKey: string | undefined,
): Promise<{ readonly id: string }> {
  return makeAtGateway(context, REFUND, input, idempotencyKey);
}

type PaymentRow = {
  readonly account_id: string;
  readonly status: string;
  readonly amount: string;
  readonly currency: string;
  readonly order_id: string | null;
  readonly subscription_id: string | null;
  readonly method: string | null;
  readonly mandate_method: string | null;
  readonly offered: readonly string[] | null;
};

const REFUND: Making<GatewayRefund, GatewayRefundCreate> = {
  entity: GatewayRefund,
  table: 'gateway_refunds',
  noun: 'gateway_refund',
  async draft(scope, input, { id }) {
    const payment = await lockPayment(scope, input.paymentId);
    const { currency } = payment;
    const leftMinor = BigInt(payment.amount) - (await givenBack(scope, input.paymentId, payment));
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
        accountId: payment.account_id,
        refundId,
        cfPaymentId: input.paymentId,
        orderId: payment.subscription_id === null ? payment.order_id : null,
        subscriptionId: payment.subscription_id,
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
};

/**
 * Held until the refund's row is inserted. A concurrent refund of the payment waits here and then
 * includes this one in its sum.
 */
async function lockPayment({ em, viewer }: ActionScope, cfPaymentId: string): Promise<PaymentRow> {
  const [payment] = await em.execute<PaymentRow[]>(
    `SELECT payment.account_id, payment.status, payment.amount_minor AS amount, payment.currency, payment.order_id,
            payment.subscription_id, payment.method, subscription.payment_method AS mandate_method,
            subscription.payment_methods AS offered
     FROM gateway_payments payment
     LEFT JOIN gateway_subscriptions subscription
       ON subscription.account_id = payment.account_id
      AND subscription.subscription_id = payment.subscription_id
     WHERE payment.workspace_id = ? AND payment.cf_payment_id = ?
     ORDER BY payment.created_at DESC LIMIT 1
     FOR UPDATE OF payment`,
    [viewer.workspaceId!, cfPaymentId],
  );
  if (payment === undefined)
    return reject('NOT_FOUND', {
      field: ['paymentId'],
      message: 'No payment exists with this ID in the workspace.',
    });
  const hasOwner = payment.order_id !== null || payment.subscription_id !== null;
  if (payment.status !== 'SUCCESS' || !hasOwner)
    return reject('PAYMENT_NOT_REFUNDABLE', { field: ['paymentId'] });
  return payment;
}

/** Includes pending refunds, since they may have been performed. */
async function givenBack(
  { em }: ActionScope,
  cfPaymentId: string,
  payment: PaymentRow,
): Promise<bigint> {
  const [{ sum }] = (await em.execute(
    `SELECT coalesce(sum(amount_minor), 0)::text AS sum FROM gateway_refunds
     WHERE account_id = ?
       AND (cf_payment_id = ? OR (cf_payment_id IS NULL AND order_id = ?))
       AND status NOT IN ('REFUSED', 'FAILED', 'CANCEL', 'CANCELLED')`,
    [payment.account_id, cfPaymentId, payment.order_id],
  )) as [{ sum: string }];
  return BigInt(sum);
}

type Speed = 'STANDARD' | 'INSTANT';

/** The mandate method determines the speed: UPI allows only STANDARD, NACH only INSTANT. */
function speedOf(payment: PaymentRow, wanted: Speed | undefined): Speed {
  const only = payment.subscription_id === null ? undefined : onlySpeed(payment);
  if (only !== undefined && wanted !== undefined && wanted !== only)
    return reject('BAD_USER_INPUT', {
      field: ['speed'],
      message: `speed must be ${only} for the method of this payment.`,
    });
  return only ?? wanted ?? 'STANDARD';
}

function onlySpeed({ method, mandate_method, offered }: PaymentRow): Speed | undefined {
  const known = method ?? mandate_method ?? (offered?.length === 1 ? offered[0]! : '');
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
