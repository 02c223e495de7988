// The catalog of outbound event types. The documentation page, the subscriptions of endpoints and
// the tests are derived from it.

export type WebhookEventType = {
  readonly type: string;
  readonly description: string;
};

export type WebhookEventFamily = {
  /** The prefix of the types. `name.*` subscribes to all of them, including future types. */
  readonly name: string;
  readonly description: string;
  readonly types: readonly WebhookEventType[];
};

export const TEST_EVENT_TYPE = 'endpoint.test';
export const ENDPOINT_DISABLED_TYPE = 'endpoint.disabled';

export const EVENT_FAMILIES: readonly WebhookEventFamily[] = [
  family(
    'delivery',
    'The progress of push messages. Each of these events occurs at most once per message and person.',
    {
      delivered: 'The message reached the device.',
      opened: 'The person opened the message.',
      clicked: 'The person clicked the message.',
    },
  ),
  family('template', 'Approvers’ decisions about template versions.', {
    approved: 'The approver approved a version.',
    rejected: 'The approver rejected a version; `reason` contains the approver’s reason.',
    approval_overdue: 'A version has been pending approval for longer than usual.',
  }),
  family('payment', 'One-time payments.', {
    pending: 'The bank has not confirmed the payment yet.',
    dropped: 'The customer left before the payment was completed.',
    cancelled: 'The payment was canceled.',
    failed: 'The payment failed.',
    succeeded: 'The payment succeeded.',
  }),
  family('payment_link', 'Links through which customers pay.', {
    partially_paid: 'Part of the amount was paid.',
    paid: 'The full amount was paid.',
    expired: 'The link expired.',
    cancelled: 'The link was canceled.',
    abandoned: 'The customer started but did not complete the payment, or the link expired unpaid.',
  }),
  family('order', 'Orders at the payment gateway.', {
    paid: 'The order was paid.',
    expired: 'The order expired.',
    terminated: 'The order was terminated before it was paid.',
  }),
  family('refund', 'Refunds of payments.', {
    pending: 'The refund is in progress.',
    on_hold: 'The refund is on hold.',
    cancelled: 'The refund was canceled.',
    failed: 'The refund failed.',
    succeeded: 'The money was returned to the customer.',
  }),
  family('mandate', 'Customers’ authorizations for recurring charges.', {
    authorized: 'The authorization payment for the mandate succeeded.',
    authorization_failed: 'The authorization payment for the mandate failed.',
    activated: 'The mandate became active for the first time.',
  }),
  family('subscription', 'Subscriptions and their renewals.', {
    ...both('initialised', 'initialized', 'The subscription was created and has no mandate yet.'),
    bank_approval_pending: 'The bank has not approved the mandate yet.',
    activated: 'The subscription is active.',
    on_hold: 'The subscription is on hold because a renewal failed.',
    paused: 'The subscription was paused.',
    customer_paused: 'The customer paused the subscription.',
    card_expired: 'The card for the mandate has expired.',
    link_expired: 'The link to authorize the mandate expired.',
    completed: 'The last renewal was paid.',
    expired: 'The subscription ended.',
    cancelled: 'The subscription was canceled.',
    customer_cancelled: 'The customer canceled the subscription.',
    renewal_announced: 'The customer was notified of the next renewal.',
    renewal_succeeded: 'A renewal was paid.',
    renewal_failed: 'A renewal failed.',
    renewal_cancelled: 'A renewal was canceled.',
    card_expiring: 'The card for the mandate expires soon.',
    notification_status_changed: 'The status of the notification that precedes a renewal changed.',
    execution_status_changed: 'The status of a requested renewal changed.',
  }),
  family('dispute', 'Chargebacks and other disputes.', {
    created: 'A customer disputes a payment.',
    updated: 'The dispute changed.',
    won: 'The dispute was won.',
    lost: 'The dispute was lost.',
    accepted: 'The dispute was accepted.',
  }),
  family('settlement', 'Payouts from the gateway to the merchant.', payouts('the merchant')),
  family('vendor_settlement', 'Payouts from the gateway to vendors.', payouts('a vendor')),
  family('vendor', 'Vendors that receive a share of payments.', {
    status_changed: 'The gateway changed the status of a vendor.',
  }),
  family('endpoint', 'The webhook endpoints themselves.', {
    test: 'A test that was requested. It is sent only to the tested endpoint, regardless of its subscriptions.',
    disabled:
      'Another endpoint in the workspace was disabled because it responded with 410 or had been failing for days.',
  }),
];

export const EVENT_TYPES: readonly WebhookEventType[] = EVENT_FAMILIES.flatMap(
  ({ types }) => types,
);

const TYPES: ReadonlySet<string> = new Set(EVENT_TYPES.map(({ type }) => type));
const FAMILIES: ReadonlySet<string> = new Set(EVENT_FAMILIES.map(({ name }) => `${name}.*`));

/** Whether the choice is a type in the catalog or a family such as `payment.*`. */
export function isKnownChoice(choice: string): boolean {
  return TYPES.has(choice) || FAMILIES.has(choice);
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

/** The gateway uses both spellings. */
function both(one: string, other: string, description: string): Record<string, string> {
  return { [one]: description, [other]: description };
}

function payouts(whom: string): Record<string, string> {
  return {
    created: `A payout to ${whom} was created.`,
    initiated: `A payout to ${whom} was sent to the bank.`,
    succeeded: `The bank paid ${whom}.`,
    failed: `A payout to ${whom} failed.`,
    reversed: `The bank returned a payout to ${whom}.`,
  };
}
