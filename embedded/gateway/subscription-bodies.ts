// The bodies of mandates and their debits, in responses and, by version, in webhooks.

import { Raw, type WritableObject } from '../../schema/values/exact-json.ts';
import type { Account, Payment, Plan, Subscription, WebhookVersion } from './store.ts';
import { rupees } from './values.ts';
import { indianTime } from './webhooks.ts';

/**
 * The newest version equals the response. The previous one omits the subscription. The oldest has
 * different names.
 */
export function paymentEvent(
  { webhookVersion }: Account,
  subscription: Subscription,
  payment: Payment,
): WritableObject {
  const newest = {
    ...paymentData(subscription, payment),
    payment_remarks: payment.type === 'AUTH' ? 'auth payment' : null,
  };
  if (webhookVersion === '2026-01-01') return newest;
  const { subscription_details: _later, ...data } = newest;
  if (webhookVersion === '2025-01-01') return data;
  const { payment_currency: _none, failure_details: _renamed, ...oldest } = data;
  const isFailed = payment.status === 'FAILED';
  return {
    ...oldest,
    // The instrument; later versions have AUTH or CHARGE.
    payment_type: payment.method.toUpperCase(),
    authorization_details: { ...oldest.authorization_details, payment_method: payment.method },
    payment_schedule_date: indianTime(payment.at).slice(0, 10),
    payment_initiated_date: indianTime(payment.at).slice(0, 10),
    failureDetails: isFailed ? { failureReason: FAILURE } : null,
  };
}

export function statusEvent(subscription: Subscription, version: WebhookVersion): WritableObject {
  const { customer } = subscription;
  const { subscription_tags, next_schedule_date, ...oldest } = detailsOf(subscription);
  const isOldest = version === '2023-08-01';
  return {
    subscription_details: isOldest ? oldest : { ...oldest, subscription_tags, next_schedule_date },
    customer_details: {
      customer_name: customer.name ?? null,
      customer_email: customer.email ?? null,
      customer_phone: customer.phone,
    },
    plan_details: planBody(subscription.plan),
    authorization_details: isOldest
      ? authorizationOfOld(subscription)
      : authorizationOf(subscription),
  };
}

const FAILURE = 'DEBIT FAILED | Insufficient Funds';

export function paymentData(subscription: Subscription, payment: Payment) {
  return {
    payment_id: payment.cfPaymentId,
    cf_payment_id: payment.cfPaymentId,
    subscription_id: subscription.subscriptionId,
    cf_subscription_id: subscription.cfSubscriptionId,
    payment_type: payment.type ?? 'CHARGE',
    subscription_details: detailsOf(subscription),
    authorization_details: authorizationOf(subscription),
    payment_amount: rupees(payment.amount),
    payment_currency: 'INR',
    payment_schedule_date: indianTime(payment.at),
    payment_initiated_date: indianTime(payment.at),
    payment_remarks: null,
    retry_attempts: new Raw(String(payment.retryAttempts)),
    failure_details: {
      failure_reason: payment.status === 'FAILED' ? FAILURE : null,
    },
    payment_status: payment.status,
  };
}

export function detailsOf(subscription: Subscription) {
  return {
    cf_subscription_id: subscription.cfSubscriptionId,
    subscription_id: subscription.subscriptionId,
    subscription_status: subscription.status,
    // Without a zone, in Indian time.
    subscription_expiry_time: indianTime(subscription.expiresAt).slice(0, 19),
    subscription_first_charge_time: null,
    subscription_tags: subscription.tags ?? null,
    next_schedule_date: null,
  };
}

export function authorizationOf({
  authorizationAmount,
  authorizationStatus,
  method,
}: Subscription) {
  return {
    authorization_amount: rupees(authorizationAmount),
    authorization_amount_refund: false,
    authorization_status: authorizationStatus,
    payment_group: method ?? null,
  };
}

export function planBody(plan: Plan): WritableObject {
  return {
    plan_id: plan.planId,
    plan_name: plan.name,
    plan_type: plan.type,
    plan_max_amount: rupees(plan.maxAmount),
    plan_recurring_amount: plan.recurringAmount === undefined ? null : rupees(plan.recurringAmount),
    plan_interval_type: plan.intervalType ?? null,
    plan_intervals: plan.intervals === undefined ? null : new Raw(plan.intervals),
    plan_currency: 'INR',
    plan_status: 'ACTIVE',
  };
}

function authorizationOfOld({ authorizationAmount, authorizationStatus, method }: Subscription) {
  return {
    authorizationAmount: rupees(authorizationAmount),
    authorizationAmountRefund: false,
    authorizationStatus,
    paymentMethod: method ?? null,
  };
}
