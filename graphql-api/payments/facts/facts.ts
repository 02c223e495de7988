// What the gateway says of one thing at one time, whether it told us (webhooks) or was asked
// (the reconciler): both become facts, and the same rules are fed with either.

export type PaymentKind = 'ONE_TIME' | 'MANDATE_AUTHORIZATION' | 'RENEWAL';

type Said = {
  /** When it was so, by the gateway's clock; undefined where it does not say. */
  readonly atMs: number | undefined;
};

export type PaymentFact = Said & {
  readonly kind: 'payment';
  readonly cfPaymentId: string;
  readonly paymentKind: PaymentKind;
  readonly status: string;
  readonly amountMinor: bigint;
  readonly currency: string;
  /** Of a renewal; 0 at first. */
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

export type RefundFact = Said & {
  readonly kind: 'refund';
  /** Ours where we asked for it. */
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

export type LinkFact = Said & {
  readonly kind: 'link';
  readonly linkId?: string | undefined;
  readonly cfLinkId?: string | undefined;
  readonly status: string;
  readonly amountPaidMinor?: bigint | undefined;
  readonly currency?: string | undefined;
  readonly linkUrl?: string | undefined;
  /** The order that the gateway made to take a payment of it. */
  readonly orderId?: string | undefined;
};

export type OrderFact = Said & {
  readonly kind: 'order';
  readonly orderId: string;
  readonly cfOrderId?: string | undefined;
  readonly status: string;
};

export type SubscriptionFact = Said & {
  readonly kind: 'subscription';
  readonly subscriptionId?: string | undefined;
  readonly cfSubscriptionId?: string | undefined;
  /** Undefined where only the authorization is told of. */
  readonly status?: string | undefined;
  readonly authorizationStatus?: string | undefined;
  readonly paymentMethod?: string | undefined;
  readonly nextChargeAtMs?: number | undefined;
};

export type DisputeFact = Said & {
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

export type VendorFact = Said & {
  readonly kind: 'vendor';
  readonly vendorId: string;
  readonly status: string;
};

export type SettlementFact = Said & {
  readonly kind: 'settlement';
  readonly settlementId: string;
  /** Undefined where the merchant is paid. */
  readonly vendorId?: string | undefined;
  readonly status: string;
  readonly amountMinor?: bigint | undefined;
  readonly currency?: string | undefined;
  readonly bankReference?: string | undefined;
  readonly settledAtMs?: number | undefined;
};

/** Something happened that is no state of a thing we keep: a notice, a reminder, a name of ours. */
export type NoticeFact = Said & {
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
  | DisputeFact
  | VendorFact
  | SettlementFact
  | NoticeFact;
