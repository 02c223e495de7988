// Reads facts about payments: one-time payments, renewals and authorization debits.

import { gatewayTimeMs } from '../../../schema/gateway/gateway-time.ts';
import { type ExactObject, objectField, textField } from '../../../schema/values/exact-json.ts';
import type { PaymentFact, PaymentKind } from './facts.ts';
import {
  amountAt,
  authorizationOf,
  methodOf,
  nested,
  reasonOf,
  required,
  UnreadableEvent,
  wordAt,
} from './read-values.ts';

/**
 * Reads a payment of an order. `implied` is the status in the event name, for bodies without a
 * status.
 */
export function readPayment(
  data: ExactObject,
  atMs: number | undefined,
  implied?: string,
): PaymentFact {
  const payment = nested(data, 'payment');
  const order = objectField(data, 'order');
  const amount =
    amountAt(payment, ['payment_amount'], ['payment_currency', 'order_currency']) ??
    amountAt(order, ['order_amount'], ['order_currency']);
  if (amount === undefined) throw new UnreadableEvent('payment_amount is missing');
  const tags = objectField(order, 'order_tags');
  return {
    kind: 'payment',
    paymentKind: 'ONE_TIME',
    cfPaymentId: required(textField(payment, 'cf_payment_id'), 'cf_payment_id'),
    status: required(wordAt(payment, 'payment_status') ?? implied, 'payment_status'),
    ...amount,
    retryAttempts: 0,
    atMs,
    orderId: wordAt(order, 'order_id') ?? wordAt(payment, 'order_id'),
    cfLinkId: wordAt(tags, 'cf_link_id') ?? wordAt(data, 'cf_link_id'),
    customerId: wordAt(objectField(data, 'customer_details'), 'customer_id'),
    method: wordAt(payment, 'payment_group'),
    failure: failureOf(data, payment),
    paidAtMs: gatewayTimeMs(wordAt(payment, 'payment_time', 'payment_completion_time')),
  };
}

/** Reads a payment of a mandate, whose body is flat in webhooks and responses alike. */
export function readMandatePayment(
  data: ExactObject,
  atMs: number | undefined,
  { implied, isAuthorization = false }: { implied?: string; isAuthorization?: boolean } = {},
): PaymentFact {
  const subscription = objectField(data, 'subscription_details');
  const amount = amountAt(data, ['payment_amount'], ['payment_currency']);
  if (amount === undefined) throw new UnreadableEvent('payment_amount is missing');
  return {
    kind: 'payment',
    paymentKind: isAuthorization ? 'MANDATE_AUTHORIZATION' : kindOf(data),
    cfPaymentId: required(wordAt(data, 'cf_payment_id', 'payment_id'), 'cf_payment_id'),
    status: required(wordAt(data, 'payment_status') ?? implied, 'payment_status'),
    ...amount,
    retryAttempts: attemptsOf(wordAt(data, 'retry_attempts')),
    atMs,
    subscriptionId: wordAt(data, 'subscription_id') ?? wordAt(subscription, 'subscription_id'),
    cfSubscriptionId:
      wordAt(data, 'cf_subscription_id') ?? wordAt(subscription, 'cf_subscription_id'),
    method: methodOf(authorizationOf(data)),
    failure: failureOf(data, data),
    // The initiation time can be the day before, so prefer the payment time, then the event time.
    paidAtMs: gatewayTimeMs(wordAt(data, 'payment_time')) ?? atMs,
  };
}

/** The gateway's remark on an authorization debit. */
const AUTHORIZATION_REMARKS = 'auth payment';

/**
 * Authorization debits arrive as renewal events. In the older version, whose type is the
 * instrument, the debit is the payment that the authorization names or the one with the gateway's
 * remark.
 */
function kindOf(data: ExactObject): PaymentKind {
  const type = wordAt(data, 'payment_type');
  if (type === 'AUTH') return 'MANDATE_AUTHORIZATION';
  if (type === 'CHARGE' || type === undefined) return 'RENEWAL';
  const authorizedBy = wordAt(authorizationOf(data), 'payment_id', 'paymentId');
  const ids = [wordAt(data, 'payment_id'), wordAt(data, 'cf_payment_id')];
  const isIts =
    wordAt(data, 'payment_remarks') === AUTHORIZATION_REMARKS ||
    (authorizedBy !== undefined && ids.includes(authorizedBy));
  return isIts ? 'MANDATE_AUTHORIZATION' : 'RENEWAL';
}

const ATTEMPTS_MAX = 1_000;

function attemptsOf(text: string | undefined): number {
  const attempts = Number(text ?? '0');
  if (!Number.isInteger(attempts) || attempts < 0 || attempts > ATTEMPTS_MAX)
    throw new UnreadableEvent('retry_attempts is not a valid count');
  return attempts;
}

function failureOf(data: ExactObject, payment: ExactObject): string | undefined {
  const error = nested(payment, 'error_details');
  const errorOfData = objectField(data, 'error_details');
  return reasonOf(
    textField(errorOfData, 'error_description') ??
      textField(error, 'error_description') ??
      textField(objectField(data, 'failure_details'), 'failure_reason') ??
      textField(objectField(data, 'failureDetails'), 'failureReason') ??
      textField(payment, 'payment_message'),
  );
}
