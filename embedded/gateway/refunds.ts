import { Raw, textField, type WritableObject } from '../../schema/values/exact-json.ts';
import type { Call, Tools } from './calls.ts';
import { amountIn, idIn, noteIn } from './checks.ts';
import { alreadyThere, invalid, notFound, refuse } from './refusal.ts';
import {
  type Account,
  nextNumber,
  type Order,
  type Payment,
  type Refund,
  type Subscription,
} from './store.ts';
import { rupees } from './values.ts';
import { indianTime } from './webhooks.ts';

const REFUND_ID = /^[A-Za-z0-9]{3,40}$/;
const NOTE_MAX = 100;
/** Statuses in which the refund has no effect. */
const UNDONE = new Set(['FAILED', 'CANCELLED']);

export function refundOrder(call: Call): WritableObject {
  const order = call.account.orders.get(call.id) ?? notFound('order');
  const payment = order.payments.find(({ status }) => status === 'SUCCESS');
  if (payment === undefined) return refuse(400, 'order_not_paid', 'order is not paid');
  const refund = newRefund(call, order.refunds, payment);
  order.refunds.set(refund.refundId, refund);
  settleRefund(call, call.account, order, refund, 'SUCCESS');
  return refundBody(refund, { order_id: order.orderId }, 'PENDING');
}

export function getOrderRefund({ account, id, innerId }: Call): WritableObject {
  const order = account.orders.get(id) ?? notFound('order');
  const refund = order.refunds.get(innerId) ?? notFound('refund');
  return refundBody(refund, { order_id: order.orderId }, refund.status);
}

export function getOrderRefunds({ account, id }: Call): readonly WritableObject[] {
  const order = account.orders.get(id) ?? notFound('order');
  return [...order.refunds.values()].map(refund =>
    refundBody(refund, { order_id: order.orderId }, refund.status),
  );
}

export function refundSubscription(call: Call): WritableObject {
  const subscription = call.account.subscriptions.get(call.id) ?? notFound('subscription');
  const payment = subscription.payments.find(
    ({ cfPaymentId, status }) =>
      status === 'SUCCESS' && cfPaymentId === textField(call.given, 'cf_payment_id'),
  );
  if (payment === undefined) return refuse(400, 'payment_not_found', 'payment is not found');
  const refund = newRefund(call, subscription.refunds, payment);
  const only = payment.method === 'upi' ? 'STANDARD' : undefined;
  const isNach = payment.method === 'enach' || payment.method === 'pnach';
  const allowed = isNach ? 'INSTANT' : only;
  if (allowed !== undefined && refund.speed !== allowed)
    invalid('refund_speed', `should be ${allowed} for ${payment.method}`);
  subscription.refunds.set(refund.refundId, refund);
  settleSubscriptionRefund(call, call.account, refund);
  return refundBody(refund, { subscription_id: subscription.subscriptionId }, 'PENDING');
}

export function getSubscriptionRefund({ account, id, innerId }: Call): WritableObject {
  const subscription = account.subscriptions.get(id) ?? notFound('subscription');
  const refund = subscription.refunds.get(innerId) ?? notFound('refund');
  return refundBody(refund, { subscription_id: subscription.subscriptionId }, refund.status);
}

function newRefund({ given }: Call, refunds: Map<string, Refund>, payment: Payment): Refund {
  const refundId = idIn(given, 'refund_id', REFUND_ID);
  if (refunds.has(refundId)) alreadyThere('refund');
  const amount = amountIn(given, 'refund_amount');
  let left = payment.amount;
  for (const refund of refunds.values())
    if (refund.payment === payment && !UNDONE.has(refund.status)) left -= refund.amount;
  if (amount > left)
    refuse(
      400,
      'refund_amount_invalid',
      'refund_amount: should not exceed the amount that can still be refunded',
    );
  return {
    refundId,
    cfRefundId: nextNumber(),
    amount,
    note: noteIn(given, 'refund_note', NOTE_MAX),
    speed: textField(given, 'refund_speed') ?? 'STANDARD',
    payment,
    status: 'PENDING',
  };
}

/** Sets the final status and sends the event. The response to the call had the status PENDING. */
export function settleRefund(
  { webhooks }: Tools,
  account: Account,
  order: Order,
  refund: Refund,
  status: Refund['status'],
): void {
  refund.status = status;
  const data = {
    refund: {
      ...refundBody(refund, { order_id: order.orderId }, status),
      requested_speed: refund.speed,
      processed_speed: refund.speed,
      status_description: `Refund ${status.toLowerCase()}`,
      refund_splits: null,
    },
  };
  webhooks.emit(account, { type: 'REFUND_STATUS_WEBHOOK', data });
}

function settleSubscriptionRefund({ webhooks }: Tools, account: Account, refund: Refund): void {
  refund.status = 'SUCCESS';
  // The body names the payment but not the subscription.
  const data = {
    payment_id: refund.payment.cfPaymentId,
    cf_payment_id: refund.payment.cfPaymentId,
    refund_id: refund.refundId,
    cf_refund_id: refund.cfRefundId,
    refund_amount: rupees(refund.amount),
    refund_speed: refund.speed,
    refund_status: refund.status,
    refund_note: refund.note ?? null,
    failure_details: account.webhookVersion === '2023-08-01' ? null : '',
  };
  webhooks.emit(account, { type: 'SUBSCRIPTION_REFUND_STATUS', data });
}

function refundBody(refund: Refund, owner: WritableObject, status: string): WritableObject {
  return {
    cf_refund_id: new Raw(refund.cfRefundId),
    cf_payment_id: new Raw(refund.payment.cfPaymentId),
    refund_id: refund.refundId,
    ...owner,
    entity: 'refund',
    refund_amount: rupees(refund.amount),
    refund_currency: 'INR',
    refund_type: 'MERCHANT_INITIATED',
    refund_status: status,
    refund_note: refund.note ?? null,
    refund_arn: status === 'SUCCESS' ? refund.cfRefundId.slice(-12) : null,
    created_at: indianTime(refund.payment.at),
    processed_at: status === 'SUCCESS' ? indianTime(new Date()) : null,
  };
}

/** The order or subscription that a refund belongs to. */
export function ownerOfRefund(
  account: Account,
  refundId: string,
): Order | Subscription | undefined {
  for (const owner of [...account.orders.values(), ...account.subscriptions.values()])
    if (owner.refunds.has(refundId)) return owner;
  return undefined;
}
