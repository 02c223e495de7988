import { randomBytes } from 'node:crypto';
import { objectField, textField, type WritableObject } from '../../schema/values/exact-json.ts';
import type { Call, Tools } from './calls.ts';
import { amountIn, checkTags, customerIn, idIn, noteIn, timeIn } from './checks.ts';
import { alreadyThere, invalid, notFound, refuse } from './refusal.ts';
import {
  type Account,
  nextNumber,
  type Payment,
  type Plan,
  type Subscription,
  type WebhookVersion,
} from './store.ts';
import {
  authorizationOf,
  detailsOf,
  paymentData,
  paymentEvent,
  planBody,
  statusEvent,
} from './subscription-bodies.ts';
import { paise, rawObjectIn } from './values.ts';

const PLAN_ID = /^[A-Za-z0-9._-]{1,40}$/;
const SUBSCRIPTION_ID = /^[A-Za-z0-9_. -]{1,250}$/;
const TAGS_MAX = 10;
const NOTE_MAX = 100;
const YEARS_MS = 30 * 365 * 24 * 3_600_000;
const METHODS = new Set(['upi', 'enach', 'pnach', 'card']);
/** The event type in each version's spelling. */
const STATUS_TYPES: Readonly<Record<WebhookVersion, string>> = {
  '2023-08-01': 'SUBSCRIPTION_STATUS_CHANGE',
  '2025-01-01': 'SUBSCRIPTION_STATUS_CHANGED',
  '2026-01-01': 'SUBSCRIPTION_STATUS_CHANGED',
};
const AFTER: Readonly<Record<string, string>> = {
  CANCEL: 'CANCELLED',
  PAUSE: 'PAUSED',
  ACTIVATE: 'ACTIVE',
};
const ENDED = new Set(['CANCELLED', 'CUSTOMER_CANCELLED', 'COMPLETED', 'EXPIRED']);

export function createPlan({ account, given }: Call): WritableObject {
  const planId = idIn(given, 'plan_id', PLAN_ID);
  if (account.plans.has(planId)) alreadyThere('plan');
  const type = textField(given, 'plan_type') ?? '';
  if (type !== 'PERIODIC' && type !== 'ON_DEMAND') invalid('plan_type', 'is not known');
  noteIn(given, 'plan_note', NOTE_MAX);
  const isPeriodic = type === 'PERIODIC';
  const plan: Plan = {
    planId,
    name: textField(given, 'plan_name') ?? invalid('plan_name', 'is missing'),
    type,
    maxAmount: amountIn(given, 'plan_max_amount'),
    recurringAmount: isPeriodic ? amountIn(given, 'plan_recurring_amount') : undefined,
    intervalType: isPeriodic
      ? (textField(given, 'plan_interval_type') ?? invalid('plan_interval_type', 'is missing'))
      : undefined,
    intervals: isPeriodic
      ? (textField(given, 'plan_intervals') ?? invalid('plan_intervals', 'is missing'))
      : undefined,
  };
  account.plans.set(planId, plan);
  return planBody(plan);
}

export function getPlan({ account, id }: Call): WritableObject {
  return planBody(account.plans.get(id) ?? notFound('plan'));
}

export function createSubscription(call: Call): WritableObject {
  const { account, given, text, nowMs } = call;
  const subscriptionId = idIn(given, 'subscription_id', SUBSCRIPTION_ID);
  if (account.subscriptions.has(subscriptionId)) alreadyThere('subscription');
  const plan = account.plans.get(textField(objectField(given, 'plan_details'), 'plan_id') ?? '');
  checkTags(given, 'subscription_tags', TAGS_MAX);
  const authorization = objectField(given, 'authorization_details');
  const methods = (authorization.payment_methods ?? []) as readonly string[];
  if (methods.some(method => !METHODS.has(method))) invalid('payment_methods', 'is not known');
  const customer = customerIn(given);
  if (customer.email === undefined) invalid('customer_email', 'is missing');
  const subscription: Subscription = {
    subscriptionId,
    cfSubscriptionId: nextNumber(),
    plan: plan ?? invalid('plan_id', 'is not found'),
    customer,
    tags: rawObjectIn(text, 'subscription_tags'),
    authorizationAmount: paise(textField(authorization, 'authorization_amount')) ?? 0n,
    methods,
    sessionId: `sub_session_${randomBytes(24).toString('base64url')}`,
    createdAt: new Date(nowMs),
    expiresAt: timeIn(given, 'subscription_expiry_time', new Date(nowMs + YEARS_MS)),
    payments: [],
    refunds: new Map(),
    status: 'INITIALIZED',
    authorizationStatus: 'PENDING',
    method: undefined,
  };
  account.subscriptions.set(subscriptionId, subscription);
  return subscriptionBody(call, subscription);
}

export function getSubscription(call: Call): WritableObject {
  return subscriptionBody(
    call,
    call.account.subscriptions.get(call.id) ?? notFound('subscription'),
  );
}

export function getSubscriptionPayments({ account, id }: Call): readonly WritableObject[] {
  const subscription = account.subscriptions.get(id) ?? notFound('subscription');
  return subscription.payments.map(payment => paymentData(subscription, payment));
}

export function manageSubscription(call: Call): WritableObject {
  const subscription = call.account.subscriptions.get(call.id) ?? notFound('subscription');
  const after = AFTER[textField(call.given, 'action') ?? ''] ?? invalid('action', 'is not known');
  if (ENDED.has(subscription.status))
    refuse(400, 'subscription_status_invalid', `subscription is ${subscription.status}`);
  setStatus(call, call.account, subscription, after);
  return subscriptionBody(call, subscription);
}

/** The customer authorizes the mandate, or fails to. A small debit verifies it. */
export function authorize(
  tools: Tools,
  account: Account,
  subscription: Subscription,
  {
    method,
    isFailed,
    at,
  }: { readonly method: string; readonly isFailed: boolean; readonly at: Date },
): Payment {
  const payment: Payment = {
    cfPaymentId: nextNumber(),
    amount: subscription.authorizationAmount,
    status: isFailed ? 'FAILED' : 'SUCCESS',
    method,
    at,
    type: 'AUTH',
    retryAttempts: 0,
  };
  subscription.payments.push(payment);
  subscription.method = method;
  subscription.authorizationStatus = isFailed ? 'FAILED' : 'ACTIVE';
  const data = paymentEvent(account, subscription, payment);
  tools.webhooks.emit(account, { type: 'SUBSCRIPTION_AUTH_STATUS', data });
  if (isFailed) return payment;
  // The debit is also reported as a payment, although it is not a renewal.
  tools.webhooks.emit(account, { type: 'SUBSCRIPTION_PAYMENT_SUCCESS', data });
  setStatus(tools, account, subscription, 'ACTIVE');
  return payment;
}

/**
 * Charges the mandate. A failed charge puts the subscription on hold. A retry has the same payment
 * ID.
 */
export function renew(
  tools: Tools,
  account: Account,
  subscription: Subscription,
  { isFailed, at }: { readonly isFailed: boolean; readonly at: Date },
): Payment {
  if (subscription.authorizationStatus !== 'ACTIVE' || ENDED.has(subscription.status))
    refuse(400, 'subscription_status_invalid', 'the mandate is not active');
  const last = subscription.payments.at(-1);
  const isRetry = last?.type === 'CHARGE' && last.status === 'FAILED';
  const payment: Payment = isRetry
    ? last
    : {
        cfPaymentId: nextNumber(),
        amount: subscription.plan.recurringAmount ?? subscription.plan.maxAmount,
        status: 'PENDING',
        method: subscription.method ?? 'upi',
        at,
        type: 'CHARGE',
        retryAttempts: 0,
      };
  if (isRetry) payment.retryAttempts++;
  else subscription.payments.push(payment);
  payment.status = isFailed ? 'FAILED' : 'SUCCESS';
  const type = `SUBSCRIPTION_PAYMENT_${isFailed ? 'FAILED' : 'SUCCESS'}`;
  tools.webhooks.emit(account, { type, data: paymentEvent(account, subscription, payment) });
  const after = isFailed ? 'ON_HOLD' : 'ACTIVE';
  if (subscription.status !== after) setStatus(tools, account, subscription, after);
  return payment;
}

export function setStatus(
  { webhooks }: Tools,
  account: Account,
  subscription: Subscription,
  status: string,
): void {
  subscription.status = status;
  const { webhookVersion } = account;
  const data = statusEvent(subscription, webhookVersion);
  webhooks.emit(account, { type: STATUS_TYPES[webhookVersion], data });
}

/**
 * Sent a week before a card expires. The event nests the subscription's own body in another object,
 * mostly in the format of the oldest version.
 */
export function remindOfCardExpiry(
  { webhooks }: Tools,
  account: Account,
  subscription: Subscription,
  expiresOn: string,
): void {
  const data = {
    subscription_status_webhook: {
      ...statusEvent(subscription, '2023-08-01'),
      subscription_details: detailsOf(subscription),
    },
    card_expiry_date: expiresOn,
  };
  webhooks.emit(account, { type: 'SUBSCRIPTION_CARD_EXPIRY_REMINDER', data });
}

function subscriptionBody({ publicUrl }: Pick<Tools, 'publicUrl'>, subscription: Subscription) {
  const { customer } = subscription;
  return {
    ...detailsOf(subscription),
    subscription_session_id: subscription.sessionId,
    mandate_authorization_url: `${publicUrl()}/checkout/subscriptions/${subscription.subscriptionId}`,
    authorisation_details: authorizationOf(subscription),
    plan_details: planBody(subscription.plan),
    customer_details: {
      customer_email: customer.email ?? null,
      customer_phone: customer.phone,
      customer_name: customer.name ?? null,
    },
  };
}
