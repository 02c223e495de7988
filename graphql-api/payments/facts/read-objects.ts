// Reads facts about the objects that we create at the gateway: links, orders, plans,
// subscriptions, refunds and vendors.

import { gatewayTimeMs } from '../../../schema/gateway/gateway-time.ts';
import { type ExactObject, objectField } from '../../../schema/values/exact-json.ts';
import type {
  LinkFact,
  OrderFact,
  PlanFact,
  RefundFact,
  SubscriptionFact,
  VendorFact,
} from './facts.ts';
import {
  amountAt,
  authorizationOf,
  methodOf,
  nested,
  required,
  UnreadableEvent,
  wordAt,
} from './read-values.ts';

type At = number | undefined;

export function readLink(data: ExactObject, atMs: At, implied?: string): LinkFact {
  const link = nested(data, 'link');
  const linkId = wordAt(link, 'link_id');
  const cfLinkId = wordAt(link, 'cf_link_id');
  required(linkId ?? cfLinkId, 'link_id');
  const paid = amountAt(link, ['link_amount_paid'], ['link_currency']);
  return {
    kind: 'link',
    linkId,
    cfLinkId,
    status: required(wordAt(link, 'link_status') ?? implied, 'link_status'),
    amountPaidMinor: paid?.amountMinor,
    currency: paid?.currency,
    linkUrl: wordAt(link, 'link_url'),
    orderId: wordAt(objectField(data, 'order'), 'order_id'),
    atMs,
  };
}

export function readOrder(data: ExactObject, atMs: At, implied?: string): OrderFact {
  const order = nested(data, 'order');
  return {
    kind: 'order',
    orderId: required(wordAt(order, 'order_id'), 'order_id'),
    cfOrderId: wordAt(order, 'cf_order_id'),
    status: required(wordAt(order, 'order_status') ?? implied, 'order_status'),
    atMs,
  };
}

type SubscriptionReading = {
  /** The status implied by the event name, for bodies without a status. */
  readonly status?: string;
  readonly authorizationStatus?: string;
  /** Whether to ignore the subscription status in the body, because it is from an earlier time. */
  readonly isAuthorizationOnly?: boolean;
};

export function readSubscription(
  data: ExactObject,
  atMs: At,
  { status, authorizationStatus, isAuthorizationOnly = false }: SubscriptionReading = {},
): SubscriptionFact {
  const details = nested(data, 'subscription_details');
  const subscriptionId = wordAt(details, 'subscription_id') ?? wordAt(data, 'subscription_id');
  const cfSubscriptionId =
    wordAt(details, 'cf_subscription_id') ?? wordAt(data, 'cf_subscription_id');
  required(subscriptionId ?? cfSubscriptionId, 'subscription_id');
  const authorization = authorizationOf(data);
  return {
    kind: 'subscription',
    subscriptionId,
    cfSubscriptionId,
    status: isAuthorizationOnly
      ? status
      : required(wordAt(details, 'subscription_status') ?? status, 'subscription_status'),
    authorizationStatus:
      wordAt(authorization, 'authorization_status', 'authorizationStatus') ?? authorizationStatus,
    paymentMethod: methodOf(authorization),
    nextChargeAtMs: gatewayTimeMs(wordAt(details, 'next_schedule_date')),
    atMs,
  };
}

export function readPlan(data: ExactObject, atMs: At): PlanFact {
  return {
    kind: 'plan',
    planId: required(wordAt(data, 'plan_id'), 'plan_id'),
    status: wordAt(data, 'plan_status') ?? 'ACTIVE',
    atMs,
  };
}

export function readRefund(data: ExactObject, atMs: At, implied?: string): RefundFact {
  const refund = nested(data, 'refund', 'auto_refund');
  const amount = amountAt(refund, ['refund_amount'], ['refund_currency']);
  if (amount === undefined) throw new UnreadableEvent('refund_amount is missing');
  const cfRefundId = wordAt(refund, 'cf_refund_id');
  const ownId = wordAt(refund, 'refund_id');
  return {
    kind: 'refund',
    // A refund that the gateway initiated has no ID of ours.
    refundId: required(ownId ?? (cfRefundId && `cf_${cfRefundId}`), 'refund_id'),
    cfRefundId,
    status: required(wordAt(refund, 'refund_status') ?? implied, 'refund_status'),
    ...amount,
    cfPaymentId: wordAt(refund, 'cf_payment_id'),
    orderId: wordAt(refund, 'order_id'),
    subscriptionId: wordAt(refund, 'subscription_id'),
    arn: wordAt(refund, 'refund_arn'),
    processedSpeed:
      wordAt(refund, 'processed_speed') ?? wordAt(objectField(refund, 'refund_speed'), 'processed'),
    atMs,
  };
}

export function readVendor(data: ExactObject, atMs: At): VendorFact {
  return {
    kind: 'vendor',
    vendorId: required(wordAt(data, 'merchant_vendor_id', 'vendor_id'), 'merchant_vendor_id'),
    status: required(wordAt(data, 'updated_status', 'status'), 'updated_status'),
    atMs,
  };
}
