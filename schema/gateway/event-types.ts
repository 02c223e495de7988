// What the gateway's events are called, by us and by it. The one table: its own `type` values in all
// spellings seen, and the dotted names of our contract. A type that stands nowhere here is kept too,
// as of the family `unknown`.

export type GatewayFamily =
  | 'payment'
  | 'refund'
  | 'payment_link'
  | 'order'
  | 'subscription'
  | 'mandate'
  | 'renewal'
  | 'subscription_refund'
  | 'subscription_notice'
  | 'dispute'
  | 'settlement'
  | 'vendor_settlement'
  | 'vendor'
  | 'instrument'
  | 'terminal'
  | 'unknown';

export type GatewayEventType = {
  readonly family: GatewayFamily;
  /** What we call it. Where the same type tells of several states, the state is in the body. */
  readonly name: string;
};

const TYPES = new Map<string, GatewayEventType>([
  ...named('payment', {
    // May carry the status PENDING: the status counts, not the type.
    PAYMENT_SUCCESS_WEBHOOK: 'payment.succeeded',
    PAYMENT_FAILED_WEBHOOK: 'payment.failed',
    PAYMENT_USER_DROPPED_WEBHOOK: 'payment.dropped',
  }),
  ...named('refund', {
    REFUND_STATUS_WEBHOOK: 'refund.status_changed',
    AUTO_REFUND_STATUS_WEBHOOK: 'refund.status_changed',
  }),
  ...named('payment_link', {
    PAYMENT_LINK_EVENT: 'payment_link.status_changed',
    ABANDONED_CHECKOUT_WEBHOOK: 'payment_link.abandoned',
  }),
  ...named('subscription', {
    SUBSCRIPTION_STATUS_CHANGED: 'subscription.status_changed',
    SUBSCRIPTION_STATUS_CHANGE: 'subscription.status_changed',
  }),
  ...named('mandate', { SUBSCRIPTION_AUTH_STATUS: 'mandate.status_changed' }),
  // With payment_type AUTH it is the mandate's small authorisation debit and no renewal.
  ...named('renewal', {
    SUBSCRIPTION_PAYMENT_SUCCESS: 'subscription.renewal_succeeded',
    SUBSCRIPTION_PAYMENT_FAILED: 'subscription.renewal_failed',
    SUBSCRIPTION_PAYMENT_CANCELLED: 'subscription.renewal_cancelled',
    SUBSCRIPTION_PAYMENT_NOTIFICATION_INITIATED: 'subscription.renewal_announced',
    'subscription.renewal_succeeded': 'subscription.renewal_succeeded',
    'subscription.renewal_failed': 'subscription.renewal_failed',
    'subscription.renewal_cancelled': 'subscription.renewal_cancelled',
  }),
  ...named('subscription_refund', {
    SUBSCRIPTION_REFUND_STATUS: 'subscription.refund_status_changed',
  }),
  ...named('subscription_notice', {
    SUBSCRIPTION_CARD_EXPIRY_REMINDER: 'subscription.card_expiring',
    SUBSCRIPTION_CONTROLLED_NOTIFICATION_STATUS: 'subscription.notification_status_changed',
    SUBSCRIPTION_PAYMENT_CONTROLLED_NOTIFICATION_STATUS: 'subscription.notification_status_changed',
    SUBSCRIPTION_CONTROLLED_EXECUTION_STATUS: 'subscription.execution_status_changed',
    SUBSCRIPTION_PAYMENT_CONTROLLED_EXECUTION_STATUS: 'subscription.execution_status_changed',
  }),
  ...named('dispute', {
    DISPUTE_CREATED: 'dispute.created',
    DISPUTE_UPDATED: 'dispute.updated',
    DISPUTE_CLOSED: 'dispute.closed',
  }),
  ...named('settlement', {
    SETTLEMENT_INITIATED: 'settlement.initiated',
    SETTLEMENT_SUCCESS: 'settlement.succeeded',
    SETTLEMENT_FAILED: 'settlement.failed',
    SETTLEMENT_REVERSED: 'settlement.reversed',
  }),
  ...named('vendor_settlement', {
    VENDOR_SETTLEMENT_INITIATED: 'vendor_settlement.initiated',
    VENDOR_SETTLEMENT_CREATED: 'vendor_settlement.initiated',
    VENDOR_SETTLEMENT_SUCCESS: 'vendor_settlement.succeeded',
    VENDOR_SETTLEMENT_FAILED: 'vendor_settlement.failed',
    VENDOR_SETTLEMENT_REVERSED: 'vendor_settlement.reversed',
  }),
  ...named('vendor', { VENDOR_STATUS_UPDATE: 'vendor.status_changed' }),
  ...named('instrument', {
    INSTRUMENT_ACTIVE_WEBHOOK: 'instrument.activated',
    INSTRUMENT_FAILED_WEBHOOK: 'instrument.failed',
  }),
  ...named('terminal', { TERMINAL_STATUS_UPDATE: 'terminal.status_changed' }),
]);

/** A dotted name is of the family that it begins with, whatever follows, and is ours as it stands. */
const DOTTED_FAMILIES: ReadonlySet<string> = new Set<GatewayFamily>([
  'payment',
  'refund',
  'payment_link',
  'order',
  'subscription',
  'mandate',
  'dispute',
  'settlement',
  'vendor_settlement',
  'vendor',
]);
const DOTTED = /^([a-z_]+)\.[a-z_]+$/;

export const UNKNOWN_TYPE: GatewayEventType = { family: 'unknown', name: '' };

export function gatewayEventType(type: string): GatewayEventType {
  const known = TYPES.get(type);
  if (known !== undefined) return known;
  const prefix = DOTTED.exec(type)?.[1];
  if (prefix === undefined || !DOTTED_FAMILIES.has(prefix)) return UNKNOWN_TYPE;
  return { family: prefix as GatewayFamily, name: type };
}

function named(
  family: GatewayFamily,
  names: Readonly<Record<string, string>>,
): (readonly [string, GatewayEventType])[] {
  return Object.entries(names).map(([type, name]) => [type, { family, name }]);
}
