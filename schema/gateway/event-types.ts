// The event types of the gateway, with our names for them. The table contains the gateway's `type`
// values in all known spellings. The dotted names of our contract are also accepted. Events of
// other types are stored with the family `unknown`.

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

type GatewayEventType = {
  readonly family: GatewayFamily;
  /** Our name. If the type is the same for several states, the state is in the body. */
  readonly name: string;
};

const TYPES = new Map<string, GatewayEventType>([
  ...named('payment', {
    // The body may have the status PENDING, which takes precedence over the type.
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
  // With payment_type AUTH, it is the authorization debit of the mandate and not a renewal.
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

/** A dotted name belongs to the family of its prefix and is used unchanged. */
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

const UNKNOWN_TYPE: GatewayEventType = { family: 'unknown', name: '' };

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
