// A fact is the state of one object at one time, as reported by the gateway. Webhooks and the
// responses to the reconciler both become facts, so the same rules apply to both.

export type PaymentKind = 'ONE_TIME' | 'MANDATE_AUTHORIZATION' | 'RENEWAL';

type Timed = {
  /** The time of the state by the gateway's clock; undefined if it is not given. */
  readonly atMs: number | undefined;
};

/**
 * The state of an object, from its facts. `Names` are not part of it; a state that was made of a
 * fact may have them, but they are not stored.
 */
export type StateOf<Fact extends Timed, Names extends keyof Fact> = Omit<
  Fact,
  'kind' | 'atMs' | Names
> & { readonly statusAtMs: number | undefined };

export type PaymentFact = Timed & {
  readonly kind: 'payment';
  readonly cfPaymentId: string;
  readonly paymentKind: PaymentKind;
  readonly status: string;
  readonly amountMinor: bigint;
  readonly currency: string;
  /** For a renewal; 0 for the first attempt. */
  readonly retryAttempts: number;
  readonly orderId?: string | undefined;
  readonly cfLinkId?: string | undefined;
  readonly subscriptionId?: string | undefined;
  readonly cfSubscriptionId?: string | undefined;
  readonly customerId?: string | undefined;
  readonly method?: string | undefined;
  readonly failure?: string | undefined;
  readonly paidAtMs?: number | undefined;
};

export type RefundFact = Timed & {
  readonly kind: 'refund';
  /** Our ID if we requested the refund. */
  readonly refundId: string;
  readonly cfRefundId?: string | undefined;
  readonly status: string;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly cfPaymentId?: string | undefined;
  readonly orderId?: string | undefined;
  readonly subscriptionId?: string | undefined;
  readonly arn?: string | undefined;
  readonly processedSpeed?: string | undefined;
};

export type LinkFact = Timed & {
  readonly kind: 'link';
  readonly linkId?: string | undefined;
  readonly cfLinkId?: string | undefined;
  readonly status: string;
  readonly amountPaidMinor?: bigint | undefined;
  readonly currency?: string | undefined;
  readonly linkUrl?: string | undefined;
  /** The order that the gateway created for a payment of the link. */
  readonly orderId?: string | undefined;
};

export type OrderFact = Timed & {
  readonly kind: 'order';
  readonly orderId: string;
  readonly cfOrderId?: string | undefined;
  readonly status: string;
};

export type SubscriptionFact = Timed & {
  readonly kind: 'subscription';
  readonly subscriptionId?: string | undefined;
  readonly cfSubscriptionId?: string | undefined;
  /** Undefined if only the authorization is reported. */
  readonly status?: string | undefined;
  readonly authorizationStatus?: string | undefined;
  readonly paymentMethod?: string | undefined;
  readonly nextChargeAtMs?: number | undefined;
};

/** Only from the reconciler: no event is about a plan. */
export type PlanFact = Timed & {
  readonly kind: 'plan';
  readonly planId: string;
  readonly status: string;
};

export type DisputeFact = Timed & {
  readonly kind: 'dispute';
  readonly disputeId: string;
  readonly type: string;
  readonly status: string;
  readonly cfPaymentId?: string | undefined;
  readonly orderId?: string | undefined;
  readonly amountMinor?: bigint | undefined;
  readonly currency?: string | undefined;
  readonly reasonCode?: string | undefined;
  readonly reason?: string | undefined;
  readonly respondByMs?: number | undefined;
};

export type VendorFact = Timed & {
  readonly kind: 'vendor';
  readonly vendorId: string;
  readonly status: string;
};

export type SettlementFact = Timed & {
  readonly kind: 'settlement';
  readonly settlementId: string;
  /** Undefined if the merchant is paid. */
  readonly vendorId?: string | undefined;
  readonly status: string;
  readonly amountMinor?: bigint | undefined;
  readonly currency?: string | undefined;
  readonly bankReference?: string | undefined;
  readonly settledAtMs?: number | undefined;
};

/** An occurrence that is not a state of a stored object, such as a reminder. */
export type NoticeFact = Timed & {
  readonly kind: 'notice';
  readonly name: string;
  readonly about: 'link' | 'subscription';
  readonly objectId: string;
  readonly cfLinkId?: string | undefined;
};

export type GatewayFact =
  | PaymentFact
  | RefundFact
  | LinkFact
  | OrderFact
  | SubscriptionFact
  | PlanFact
  | DisputeFact
  | VendorFact
  | SettlementFact
  | NoticeFact;
