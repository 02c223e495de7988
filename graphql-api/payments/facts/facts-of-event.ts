import type { GatewayFamily } from '../../../schema/gateway/event-types.ts';
import type { ParsedGatewayEvent } from '../../../schema/gateway/parse-gateway-event.ts';
import { objectField, textField } from '../../../schema/values/exact-json.ts';
import { isUuid } from '../../../schema/values/uuid.ts';
import type { GatewayFact, NoticeFact } from './facts.ts';
import { readDispute, readSettlement } from './read-money-back.ts';
import { readLink, readOrder, readRefund, readSubscription, readVendor } from './read-objects.ts';
import { readMandatePayment, readPayment } from './read-payment.ts';
import { nested, required, wordAt } from './read-values.ts';

/**
 * Increment with each change that can read more events. Events that a lower version parked as
 * unreadable are then retried once.
 */
export const READER = 1;

/** The facts of an event. Empty if the event is not relevant. Throws UnreadableEvent. */
export function factsOfEvent(event: ParsedGatewayEvent): readonly GatewayFact[] {
  return READERS[event.family]?.(event) ?? [];
}

/** The workspace in the tags or notes that we sent with the object and the gateway echoes. */
export function echoedWorkspaceId({ data }: ParsedGatewayEvent): string | undefined {
  for (const path of ECHOES) {
    const id = textField(data, ...path, 'workspace_id');
    if (id !== undefined && isUuid(id)) return id.toLowerCase();
  }
  return undefined;
}

/** The tenant's own ID of the customer. */
export function customerIdOf({ data }: ParsedGatewayEvent): string | undefined {
  return wordAt(objectField(data, 'customer_details'), 'customer_id');
}

const ECHOES = [
  ['link_notes'],
  ['link', 'link_notes'],
  ['subscription_details', 'subscription_tags'],
  ['subscription_tags'],
  ['order', 'order_tags'],
  ['order_tags'],
] as const;

type Reader = (event: ParsedGatewayEvent) => readonly GatewayFact[];

const READERS: Readonly<Partial<Record<GatewayFamily, Reader>>> = {
  payment: ({ data, eventAtMs, name }) => [readPayment(data, eventAtMs, STATUSES[name])],
  refund: ({ data, eventAtMs, name }) => [readRefund(data, eventAtMs, STATUSES[name])],
  subscription_refund: ({ data, eventAtMs }) => [readRefund(data, eventAtMs)],
  payment_link: linkFacts,
  order: ({ data, eventAtMs, name }) => [readOrder(data, eventAtMs, lastWord(name))],
  subscription: subscriptionFacts,
  mandate: mandateFacts,
  renewal: renewalFacts,
  subscription_notice: event => [subscriptionNotice(event)],
  dispute: ({ data, eventAtMs }) => [readDispute(data, eventAtMs)],
  settlement: settlementFacts,
  vendor_settlement: settlementFacts,
  vendor: ({ data, eventAtMs }) => [readVendor(data, eventAtMs)],
};

/** The status implied by the event name, for bodies without a status. */
const STATUSES: Readonly<Record<string, string>> = {
  'payment.succeeded': 'SUCCESS',
  'payment.success': 'SUCCESS',
  'payment.failed': 'FAILED',
  'payment.dropped': 'USER_DROPPED',
  'payment.pending': 'PENDING',
  'refund.succeeded': 'SUCCESS',
  'refund.success': 'SUCCESS',
  'refund.processed': 'SUCCESS',
  'refund.failed': 'FAILED',
  'refund.pending': 'PENDING',
  'subscription.renewal_succeeded': 'SUCCESS',
  'subscription.renewal_failed': 'FAILED',
  'subscription.renewal_cancelled': 'CANCELLED',
  'mandate.activated': 'ACTIVE',
};

/** For example, `payment_link.partially_paid` implies PARTIALLY_PAID. */
function lastWord(name: string): string | undefined {
  const word = name.split('.')[1];
  return word === undefined || word === 'status_changed' ? undefined : word.toUpperCase();
}

function linkFacts({ data, eventAtMs, name }: ParsedGatewayEvent): readonly GatewayFact[] {
  if (name !== 'payment_link.abandoned') return [readLink(data, eventAtMs, lastWord(name))];
  const link = nested(data, 'link');
  const cfLinkId =
    wordAt(link, 'cf_link_id') ??
    wordAt(objectField(objectField(data, 'order'), 'order_tags'), 'cf_link_id');
  return [
    {
      kind: 'notice',
      name,
      about: 'link',
      objectId: required(wordAt(link, 'link_id') ?? cfLinkId, 'link_id'),
      cfLinkId,
      atMs: eventAtMs,
    },
  ];
}

function subscriptionFacts({ data, eventAtMs, name }: ParsedGatewayEvent): readonly GatewayFact[] {
  const status = lastWord(name);
  return [readSubscription(data, eventAtMs, status === undefined ? {} : { status })];
}

function mandateFacts({ data, eventAtMs, name }: ParsedGatewayEvent): readonly GatewayFact[] {
  const implied = STATUSES[name];
  const facts: GatewayFact[] = [
    readSubscription(data, eventAtMs, {
      isAuthorizationOnly: true,
      ...(implied !== undefined && { status: implied, authorizationStatus: implied }),
    }),
  ];
  // The debit that verified the mandate, if there is one.
  if (wordAt(data, 'cf_payment_id') !== undefined && wordAt(data, 'payment_amount') !== undefined)
    facts.push(readMandatePayment(data, eventAtMs, { implied: 'PENDING', isAuthorization: true }));
  return facts;
}

function renewalFacts(event: ParsedGatewayEvent): readonly GatewayFact[] {
  const { data, eventAtMs, name } = event;
  if (name === 'subscription.renewal_announced') return [subscriptionNotice(event)];
  const implied = STATUSES[name];
  const payment = readMandatePayment(data, eventAtMs, implied === undefined ? {} : { implied });
  if (payment.paymentKind !== 'MANDATE_AUTHORIZATION') return [payment];
  // The authorization debit also reports the status of the mandate.
  return [readSubscription(data, eventAtMs, { isAuthorizationOnly: true }), payment];
}

function subscriptionNotice({ data, eventAtMs, name }: ParsedGatewayEvent): NoticeFact {
  const details = nested(data, 'subscription_details');
  const id =
    wordAt(details, 'subscription_id', 'subscriptionId') ?? wordAt(data, 'subscription_id');
  return {
    kind: 'notice',
    name,
    about: 'subscription',
    objectId: required(id, 'subscription_id'),
    atMs: eventAtMs,
  };
}

const SETTLEMENT_STATUSES: Readonly<Record<string, string>> = {
  initiated: 'INITIATED',
  succeeded: 'SUCCESS',
  success: 'SUCCESS',
};

function settlementFacts({ data, eventAtMs, name }: ParsedGatewayEvent): readonly GatewayFact[] {
  const word = name.split('.')[1] ?? '';
  const status = SETTLEMENT_STATUSES[word] ?? word.toUpperCase();
  return [readSettlement(data, eventAtMs, status)];
}
