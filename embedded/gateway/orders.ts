import { randomBytes } from 'node:crypto';
import {
  type ExactObject,
  Raw,
  textField,
  type WritableObject,
} from '../../schema/values/exact-json.ts';
import type { Call, Tools } from './calls.ts';
import { amountIn, checkTags, customerIn, idIn, noteIn, timeIn } from './checks.ts';
import { alreadyThere, invalid, notFound, refuse } from './refusal.ts';
import { type Account, type Link, nextNumber, type Order, type Payment } from './store.ts';
import { paise, rawObjectIn, rupees } from './values.ts';
import { indianTime } from './webhooks.ts';

const ORDER_ID = /^[A-Za-z0-9_-]{3,45}$/;
const TAGS_MAX = 10;
const NOTE_MAX = 200;
const EXPIRES_MS = 30 * 24 * 3_600_000;
/** One rupee. */
const LEAST = 100n;

export function createOrder({ account, given, text, nowMs }: Call): WritableObject {
  const orderId =
    given.order_id == null
      ? `order_${randomBytes(14).toString('base64url')}`
      : idIn(given, 'order_id', ORDER_ID);
  if (account.orders.has(orderId)) alreadyThere('order');
  const amount = amountIn(given, 'order_amount', LEAST);
  checkTags(given, 'order_tags', TAGS_MAX);
  noteIn(given, 'order_note', NOTE_MAX);
  checkSplits(account, given, amount);
  const customer = customerIn(given);
  if (customer.id === undefined) invalid('customer_id', 'is missing');
  const order = newOrder({
    orderId,
    amount,
    currency: textField(given, 'order_currency') ?? invalid('order_currency', 'is missing'),
    customer,
    tags: rawObjectIn(text, 'order_tags'),
    createdAt: new Date(nowMs),
    expiresAt: timeIn(given, 'order_expiry_time', new Date(nowMs + EXPIRES_MS)),
    link: undefined,
  });
  account.orders.set(orderId, order);
  return orderBody(order);
}

/** The order of a link: the gateway creates one for each payment attempt. */
export function orderOfLink(account: Account, link: Link, amount: bigint, at: Date): Order {
  const order = newOrder({
    orderId: `CFPay_${link.cfLinkId}_${randomBytes(5).toString('hex')}`,
    amount,
    currency: link.currency,
    customer: link.customer,
    tags: new Raw(`{"cf_link_id":"${link.cfLinkId}","link_id":${JSON.stringify(link.linkId)}}`),
    createdAt: at,
    expiresAt: link.expiresAt,
    link,
  });
  account.orders.set(order.orderId, order);
  link.orders.push(order);
  return order;
}

type NewOrder = Omit<Order, 'cfOrderId' | 'sessionId' | 'payments' | 'refunds' | 'status'>;

function newOrder(order: NewOrder): Order {
  return {
    ...order,
    cfOrderId: nextNumber(),
    sessionId: `session_${randomBytes(24).toString('base64url')}`,
    payments: [],
    refunds: new Map(),
    status: 'ACTIVE',
  };
}

function checkSplits(account: Account, given: ExactObject, amount: bigint): void {
  const splits = (given.order_splits ?? []) as readonly ExactObject[];
  let sum = 0n;
  for (const split of splits) {
    const vendor = account.vendors.get(textField(split, 'vendor_id') ?? '');
    if (vendor === undefined) refuse(400, 'vendor_not_found', 'vendor_id: is not found');
    if (vendor.status !== 'ACTIVE') refuse(400, 'vendor_not_active', 'vendor is not active');
    sum += paise(textField(split, 'amount')) ?? 0n;
  }
  if (sum > amount) invalid('order_splits', 'should not exceed the order amount');
}

export function getOrder({ account, id }: Call): WritableObject {
  return orderBody(account.orders.get(id) ?? notFound('order'));
}

export function getOrderPayments({ account, id }: Call): readonly WritableObject[] {
  const order = account.orders.get(id) ?? notFound('order');
  return order.payments.map(payment => paymentOfOrder(order, payment));
}

export function getOrderPayment({ account, id, innerId }: Call): WritableObject {
  const order = account.orders.get(id) ?? notFound('order');
  const found = order.payments.find(({ cfPaymentId }) => cfPaymentId === innerId);
  return paymentOfOrder(order, found ?? notFound('payment'));
}

function paymentOfOrder(order: Order, payment: Payment): WritableObject {
  return {
    ...paymentBody(payment, order.currency),
    order_id: order.orderId,
    entity: 'payment',
    is_captured: payment.status === 'SUCCESS',
    order_amount: rupees(order.amount),
    order_currency: order.currency,
  };
}

export function orderBody(order: Order): WritableObject {
  return {
    cf_order_id: order.cfOrderId,
    order_id: order.orderId,
    entity: 'order',
    order_amount: rupees(order.amount),
    order_currency: order.currency,
    order_status: order.status,
    payment_session_id: order.sessionId,
    order_expiry_time: indianTime(order.expiresAt),
    created_at: indianTime(order.createdAt),
    order_tags: order.tags ?? null,
  };
}

function paymentBody(payment: Payment, currency: string): WritableObject {
  return {
    cf_payment_id: new Raw(payment.cfPaymentId),
    payment_status: payment.status,
    payment_amount: rupees(payment.amount),
    payment_currency: currency,
    payment_message: payment.status === 'SUCCESS' ? '00::Transaction success' : null,
    payment_time: indianTime(payment.at),
    bank_reference: payment.cfPaymentId.slice(-12),
    payment_method: { [payment.method]: { channel: 'link' } },
    payment_group: payment.method,
  };
}

export type Attempt = {
  readonly status: Payment['status'];
  readonly method: string;
  readonly at: Date;
};

/** A payment attempt. Several may fail before one succeeds. */
export function attemptOrder(
  { webhooks }: Tools,
  account: Account,
  order: Order,
  { status, method, at }: Attempt,
): Payment {
  const isPaid = order.status === 'PAID';
  if (isPaid && status === 'SUCCESS') refuse(400, 'order_already_paid', 'order is already paid');
  const payment = {
    cfPaymentId: nextNumber(),
    amount: order.amount,
    status,
    method,
    at,
    retryAttempts: 0,
  };
  order.payments.push(payment);
  if (status === 'SUCCESS') order.status = 'PAID';
  const type =
    status === 'USER_DROPPED'
      ? 'PAYMENT_USER_DROPPED_WEBHOOK'
      : `PAYMENT_${status === 'FAILED' ? 'FAILED' : 'SUCCESS'}_WEBHOOK`;
  webhooks.emit(account, { type, data: paymentEvent(account, order, payment) });
  return payment;
}

/** A pending or failed payment succeeds later. */
export function lateSuccess({ webhooks }: Tools, account: Account, order: Order, payment: Payment) {
  payment.status = 'SUCCESS';
  order.status = 'PAID';
  webhooks.emit(account, {
    type: 'PAYMENT_SUCCESS_WEBHOOK',
    data: paymentEvent(account, order, payment),
  });
}

function paymentEvent({ webhookVersion }: Account, order: Order, payment: Payment): WritableObject {
  const { customer } = order;
  return {
    order: {
      order_id: order.orderId,
      order_amount: rupees(order.amount),
      order_currency: order.currency,
      order_tags: order.tags ?? null,
    },
    payment: {
      ...paymentBody(payment, order.currency),
      // The oldest version has a number here.
      ...(webhookVersion !== '2023-08-01' && { cf_payment_id: payment.cfPaymentId }),
    },
    customer_details: {
      customer_name: customer.name ?? null,
      customer_id: customer.id ?? null,
      customer_email: customer.email ?? null,
      customer_phone: customer.phone,
    },
    ...(payment.status === 'FAILED' && {
      error_details: { error_code: 'TRANSACTION_DECLINED', error_reason: 'declined by the bank' },
    }),
    payment_gateway_details: { gateway_name: 'CASHFREE', gateway_payment_id: payment.cfPaymentId },
    payment_offers: null,
  };
}
