// The gateway's state, per merchant account and in memory only.

import type { Raw } from '../../schema/values/exact-json.ts';

export type Payment = {
  readonly cfPaymentId: string;
  readonly amount: bigint;
  status: 'SUCCESS' | 'FAILED' | 'USER_DROPPED' | 'PENDING' | 'CANCELLED';
  readonly method: string;
  readonly at: Date;
  readonly type?: 'AUTH' | 'CHARGE';
  retryAttempts: number;
};

export type Refund = {
  readonly refundId: string;
  readonly cfRefundId: string;
  readonly amount: bigint;
  readonly note: string | undefined;
  readonly speed: string;
  readonly payment: Payment;
  status: 'PENDING' | 'SUCCESS' | 'FAILED' | 'CANCELLED' | 'ONHOLD';
};

export type Customer = {
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly email: string | undefined;
  readonly phone: string;
};

export type Order = {
  readonly orderId: string;
  readonly cfOrderId: string;
  readonly amount: bigint;
  readonly currency: string;
  readonly customer: Customer;
  readonly tags: Raw | undefined;
  readonly sessionId: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly link: Link | undefined;
  readonly payments: Payment[];
  readonly refunds: Map<string, Refund>;
  status: 'ACTIVE' | 'PAID' | 'EXPIRED';
};

export type Link = {
  readonly linkId: string;
  readonly cfLinkId: string;
  readonly amount: bigint;
  readonly currency: string;
  readonly minimum: bigint | undefined;
  readonly purpose: string;
  readonly customer: Customer;
  readonly notes: Raw | undefined;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly orders: Order[];
  paid: bigint;
  status: 'ACTIVE' | 'PARTIALLY_PAID' | 'PAID' | 'EXPIRED' | 'CANCELLED';
};

export type Plan = {
  readonly planId: string;
  readonly name: string;
  readonly type: string;
  readonly maxAmount: bigint;
  readonly recurringAmount: bigint | undefined;
  readonly intervalType: string | undefined;
  readonly intervals: string | undefined;
};

export type Subscription = {
  readonly subscriptionId: string;
  readonly cfSubscriptionId: string;
  readonly plan: Plan;
  readonly customer: Customer;
  readonly tags: Raw | undefined;
  readonly authorizationAmount: bigint;
  readonly methods: readonly string[];
  readonly sessionId: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly payments: Payment[];
  readonly refunds: Map<string, Refund>;
  status: string;
  authorizationStatus: 'PENDING' | 'ACTIVE' | 'FAILED';
  method: string | undefined;
};

export type Vendor = {
  readonly vendorId: string;
  name: string;
  email: string;
  phone: string;
  businessType: string;
  status: string;
};

export type Dispute = {
  readonly disputeId: string;
  readonly type: string;
  readonly order: Order;
  readonly payment: Payment;
  readonly amount: bigint;
  status: string;
};

/**
 * The webhook version that an account chooses. The versions differ mostly in events of mandates.
 */
export const WEBHOOK_VERSIONS = ['2023-08-01', '2025-01-01', '2026-01-01'] as const;
export type WebhookVersion = (typeof WEBHOOK_VERSIONS)[number];
const WEBHOOK_VERSION_DEFAULT: WebhookVersion = '2025-01-01';

export type Account = {
  readonly clientId: string;
  readonly webhookVersion: WebhookVersion;
  clientSecret: string;
  webhookUrl: string | undefined;
  webhookSecret: string;
  abandonedSecret: string;
  readonly links: Map<string, Link>;
  readonly orders: Map<string, Order>;
  readonly plans: Map<string, Plan>;
  readonly subscriptions: Map<string, Subscription>;
  readonly vendors: Map<string, Vendor>;
  readonly disputes: Map<string, Dispute>;
  /** The request bodies and responses, by endpoint and key. */
  readonly answers: Map<string, { readonly body: string; readonly answer: Answer }>;
};

export type Answer = { readonly status: number; readonly body: string };

export type AccountOptions = {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly webhookUrl?: string | undefined;
  readonly webhookSecret?: string | undefined;
  readonly abandonedSecret?: string | undefined;
  readonly webhookVersion?: WebhookVersion | undefined;
};

/**
 * An account without a webhook secret signs with its client secret, as documented for the gateway.
 */
export function createAccount(options: AccountOptions): Account {
  const { clientId, clientSecret, webhookUrl, webhookSecret, abandonedSecret } = options;
  return {
    clientId,
    clientSecret,
    webhookUrl,
    webhookSecret: webhookSecret ?? clientSecret,
    abandonedSecret: abandonedSecret ?? webhookSecret ?? clientSecret,
    webhookVersion: options.webhookVersion ?? WEBHOOK_VERSION_DEFAULT,
    links: new Map(),
    orders: new Map(),
    plans: new Map(),
    subscriptions: new Map(),
    vendors: new Map(),
    disputes: new Map(),
    answers: new Map(),
  };
}

/** The first integer that a double cannot represent, so clients that parse IDs as numbers fail. */
const UNSAFE = 2n ** 53n + 1n;
/** A restarted gateway must not reuse the numbers of an earlier run. */
let last = UNSAFE + BigInt(Date.now()) * 1_000n;

export function nextNumber(): string {
  last += 2n;
  return String(last | 1n);
}
