// Everything that webhook endpoints are told of: the one list, from which the documentation, the
// choice of an operator and the tests are made.

export type WebhookEventType = {
  readonly type: string;
  readonly description: string;
};

export type WebhookEventFamily = {
  /** What the types begin with; `name.*` chooses them all, those to come included. */
  readonly name: string;
  readonly description: string;
  readonly types: readonly WebhookEventType[];
};

/** Of an endpoint that asked to be tried. */
export const TEST_EVENT_TYPE = 'endpoint.test';
export const ENDPOINT_DISABLED_TYPE = 'endpoint.disabled';

export const EVENT_FAMILIES: readonly WebhookEventFamily[] = [
  family('delivery', 'How far a push message came, once each per message and person.', {
    delivered: 'The message reached the device.',
    opened: 'The person opened the message.',
    clicked: 'The person clicked the message.',
  }),
  family('template', 'What the channels’ approvers decided about template versions.', {
    approved: 'The approver approved a version.',
    rejected: 'The approver rejected a version; its reason stands beside.',
    approval_overdue: 'A version has waited for its verdict for longer than is usual.',
  }),
  family('payment', 'One-time payments.', {
    pending: 'The payment waits for the bank.',
    dropped: 'The customer left before the payment was made.',
    cancelled: 'The payment was cancelled.',
    failed: 'The payment failed.',
    succeeded: 'The payment succeeded.',
  }),
  family('payment_link', 'Links by which customers pay.', {
    partially_paid: 'A part of the amount was paid.',
    paid: 'The whole amount was paid.',
    expired: 'The link expired.',
    cancelled: 'The link was cancelled.',
    abandoned: 'The customer began and did not pay, or the link expired without a payment.',
  }),
  family('order', 'Orders at the payment gateway.', {
    paid: 'The order is paid.',
    expired: 'The order expired.',
    terminated: 'The order was ended before it was paid.',
  }),
  family('refund', 'Refunds of payments.', {
    pending: 'The refund is under way.',
    on_hold: 'The refund is held back.',
    cancelled: 'The refund was cancelled.',
    failed: 'The refund failed.',
    succeeded: 'The customer has the money back.',
  }),
  family('mandate', 'A customer’s consent to be charged again.', {
    authorized: 'The payment that proves the mandate succeeded.',
    authorization_failed: 'The payment that proves the mandate failed.',
    activated: 'The mandate is active, for the first time.',
  }),
  family('subscription', 'Subscriptions and their renewals.', {
    ...both('initialised', 'initialized', 'The subscription was made and waits for its mandate.'),
    bank_approval_pending: 'The bank has yet to approve the mandate.',
    activated: 'The subscription is active.',
    on_hold: 'The subscription is on hold, since a renewal failed.',
    paused: 'The subscription was paused.',
    customer_paused: 'The customer paused the subscription.',
    card_expired: 'The card of the mandate has expired.',
    link_expired: 'The link to authorise the mandate expired.',
    completed: 'The last renewal has been paid.',
    expired: 'The subscription is over.',
    cancelled: 'The subscription was cancelled.',
    customer_cancelled: 'The customer cancelled the subscription.',
    renewal_announced: 'The customer was told of the next renewal.',
    renewal_succeeded: 'A renewal was paid.',
    renewal_failed: 'A renewal failed.',
    renewal_cancelled: 'A renewal was cancelled.',
    card_expiring: 'The card of the mandate expires soon.',
    notification_status_changed: 'What became of the notice before a renewal.',
    execution_status_changed: 'What became of a renewal that was asked for.',
  }),
  family('dispute', 'Chargebacks and other disputes.', {
    created: 'A customer disputes a payment.',
    updated: 'The dispute went on.',
    won: 'The dispute was won.',
    lost: 'The dispute was lost.',
    accepted: 'The dispute was accepted.',
  }),
  family('settlement', 'What the gateway pays out to the merchant.', payouts('the merchant')),
  family('vendor_settlement', 'What the gateway pays out to vendors.', payouts('a vendor')),
  family('vendor', 'Vendors who share in payments.', {
    status_changed: 'The gateway changed the status of a vendor.',
  }),
  family('endpoint', 'The webhook endpoints themselves.', {
    test: 'A test that was asked for; it goes to that endpoint whatever it has chosen.',
    disabled:
      'Another endpoint of the workspace was disabled, since it answered 410 or failed for days.',
  }),
];

export const EVENT_TYPES: readonly WebhookEventType[] = EVENT_FAMILIES.flatMap(
  ({ types }) => types,
);

const TYPES: ReadonlySet<string> = new Set(EVENT_TYPES.map(({ type }) => type));
const FAMILIES: ReadonlySet<string> = new Set(EVENT_FAMILIES.map(({ name }) => `${name}.*`));

/** Whether an endpoint may choose it: a type of the list, or a family as `payment.*`. */
export function isKnownChoice(choice: string): boolean {
  return TYPES.has(choice) || FAMILIES.has(choice);
}

/** Whether an endpoint that has chosen these is told of the type; having chosen none is all. */
export function isChosen(choices: readonly string[], type: string): boolean {
  if (choices.length === 0) return true;
  return choices.includes(type) || choices.includes(`${type.slice(0, type.indexOf('.'))}.*`);
}

function family(
  name: string,
  description: string,
  types: Readonly<Record<string, string>>,
): WebhookEventFamily {
  return {
    name,
    description,
    types: Object.entries(types).map(([word, text]) => ({
      type: `${name}.${word}`,
      description: text,
    })),
  };
}

/** The gateway has been seen to spell it both ways. */
function both(one: string, other: string, description: string): Record<string, string> {
  return { [one]: description, [other]: description };
}

function payouts(whom: string): Record<string, string> {
  return {
    created: `A payout to ${whom} was made out.`,
    initiated: `A payout to ${whom} is on its way to the bank.`,
    succeeded: `The bank has paid ${whom}.`,
    failed: `A payout to ${whom} failed.`,
    reversed: `The bank sent a payout to ${whom} back.`,
  };
}
