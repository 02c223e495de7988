// Money goes back once, and never more than came: refunds are added up under the lock of their
// payment, with those whose outcome is not known yet, before the gateway is asked.

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
        message: `${decimalOf({ amountMinor: leftMinor, currencyCode: currency })} ${currency} of the payment is left to refund.`,
      });
    const refundId = mintId('refund', scope.viewer.workspaceId!, id);
    const amount = decimalOf({ amountMinor, currencyCode: currency });
    return {
      columns: {
        // Where the payment is, whatever the workspace's account is now.
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

/** Until the row is written; another refund of the payment waits here, and then counts this one. */
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
      message: 'The workspace has no such payment.',
    });
  const hasOwner = payment.order_id !== null || payment.subscription_id !== null;
  if (payment.status !== 'SUCCESS' || !hasOwner)
    return reject('PAYMENT_NOT_REFUNDABLE', { field: ['paymentId'] });
  return payment;
}

/** What is asked for counts, too: its outcome may be that it was done. */
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

/** A mandate's method decides: UPI gives back at its own pace, a bank's mandate only at once. */
function speedOf(payment: PaymentRow, wanted: Speed | undefined): Speed {
  const only = payment.subscription_id === null ? undefined : onlySpeed(payment);
  if (only !== undefined && wanted !== undefined && wanted !== only)
    return reject('BAD_USER_INPUT', {
      field: ['speed'],
      message: `speed can only be ${only} for this payment's method.`,
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
    // Another one would be another refund.
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

/** Whether it was paid out is an event's to say, so that it has its effect once. */
function read(body: ExactJson) {
  return { status: 'PENDING', cfId: textField(body, 'cf_refund_id') ?? null };
}
