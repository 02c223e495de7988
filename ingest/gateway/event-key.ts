// Derives the key by which repeated webhooks are the same gateway event. It uses only the signed
// body, because a replayed request can have any headers. If the gateway may report several states
// of one object, the state is part of the key: one part too many causes a harmless duplicate, one
// part too few loses an event. A body without the fields that its event family requires equals only
// a byte-identical body.

import { createHash } from 'node:crypto';
import type { GatewayFamily } from '../../schema/gateway/event-types.ts';
import type { ParsedGatewayEvent } from '../../schema/gateway/parse-gateway-event.ts';
import { type ExactObject, objectField, textField } from '../../schema/values/exact-json.ts';

/** Unique within one account; at most 200 characters. */
export function gatewayEventKey(event: ParsedGatewayEvent, body: Uint8Array): string {
  const parts = IDENTITIES[event.family]?.(event);
  if (parts?.[0] === undefined) return `${event.family}|body:${sha256(body)}`;
  const texts = parts.map(part => part ?? '');
  const key = [event.family, ...texts].join('|');
  const isPlain = texts.every(text => PLAIN.test(text)) && key.length <= PLAIN_CHARACTERS_MAX;
  return isPlain ? key : `${event.family}|parts:${sha256(JSON.stringify(texts))}`;
}

const PLAIN = /^[\w.:+@ -]*$/;
const PLAIN_CHARACTERS_MAX = 200;

/** The first part is the required ID. */
type Identity = (
  event: ParsedGatewayEvent,
) => readonly [id: string | undefined, ...states: (string | undefined)[]];

const IDENTITIES: Readonly<Partial<Record<GatewayFamily, Identity>>> = {
  // One ID per attempt, whose status changes from PENDING to its outcome.
  payment: ({ data, name }) => {
    const payment = nested(data, 'payment');
    return [textField(payment, 'cf_payment_id'), name, textField(payment, 'payment_status')];
  },
  refund: ({ data }) => {
    const refund = objectField(data, 'auto_refund' in data ? 'auto_refund' : 'refund');
    return [textField(refund, 'cf_refund_id'), textField(refund, 'refund_status')];
  },
  payment_link: event => linkIdentity(event),
  order: ({ data, name, eventTime }) => {
    const order = nested(data, 'order');
    return [textField(order, 'order_id'), name, textField(order, 'order_status'), eventTime];
  },
  subscription: ({ data, name, eventTime }) => {
    const { id, status } = subscriptionOf(data);
    return [id, name, status, eventTime];
  },
  mandate: event => mandateIdentity(event),
  // A retry may fail again on the same payment.
  renewal: ({ data, name }) => [
    textField(data, 'cf_payment_id') ?? textField(data, 'payment_id'),
    name,
    textField(data, 'payment_status'),
    textField(data, 'retry_attempts'),
  ],
  subscription_refund: ({ data }) => [
    textField(data, 'cf_refund_id') ?? textField(data, 'refund_id'),
    textField(data, 'refund_status'),
  ],
  // An update may only add a comment.
  dispute: ({ data, name }) => {
    const dispute = nested(data, 'dispute');
    const states = ['dispute_status', 'updated_at'].map(key => textField(dispute, key));
    return [textField(dispute, 'dispute_id'), name, ...states];
  },
  settlement: ({ data, name }) => [settlementId(data), name],
  vendor_settlement: ({ data, name }) => [
    settlementId(data),
    textField(data, 'settlement', 'vendor_id'),
    name,
  ],
  vendor: ({ data, eventTime }) => [
    textField(data, 'merchant_vendor_id'),
    textField(data, 'past_status'),
    textField(data, 'updated_status'),
    eventTime,
  ],
};

function linkIdentity({ data, name, eventTime }: ParsedGatewayEvent): ReturnType<Identity> {
  const link = nested(data, 'link');
  const id = textField(link, 'cf_link_id') ?? textField(link, 'link_id');
  // A link may be abandoned more than once.
  if (name === 'payment_link.abandoned') return [id, 'ABANDONED', eventTime];
  return [
    id,
    // A dotted type may contain the state that other bodies of the gateway have as a status.
    textField(link, 'link_status') ?? name,
    textField(link, 'link_amount_paid'),
    textField(data, 'order', 'transaction_id'),
  ];
}

function mandateIdentity({ data, name, eventTime }: ParsedGatewayEvent): ReturnType<Identity> {
  const authorization = textField(data, 'authorization_details', 'authorization_status');
  const payment = textField(data, 'cf_payment_id');
  if (payment !== undefined)
    return [payment, name, textField(data, 'payment_status'), authorization];
  const { id, status } = subscriptionOf(data);
  return [id, name, status, authorization, eventTime];
}

function subscriptionOf(data: ExactObject) {
  const subscription = nested(data, 'subscription_details');
  return {
    id: textField(subscription, 'cf_subscription_id') ?? textField(subscription, 'subscription_id'),
    status: textField(subscription, 'subscription_status'),
  };
}

function settlementId(data: ExactObject): string | undefined {
  const settlement = objectField(data, 'settlement');
  return textField(settlement, 'settlement_id') ?? textField(settlement, 'cf_settlement_id');
}

/** The object itself, or its members directly in `data`. */
function nested(data: ExactObject, key: string): ExactObject {
  const value = objectField(data, key);
  return Object.keys(value).length > 0 ? value : data;
}

function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
