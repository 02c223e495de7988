// The effects of a fact: the name under which it is published, once, and its position in the life
// of the object. They depend on the fact alone and not on the current state, so the same effects
// result in any order of events.

import { disputeRank, isWon } from './dispute-state.ts';
import type {
  DisputeFact,
  GatewayFact,
  LinkFact,
  PaymentFact,
  SettlementFact,
  SubscriptionFact,
} from './facts.ts';
import { linkRank } from './link-state.ts';
import { orderRank } from './order-state.ts';
import { paymentRank } from './payment-state.ts';
import { refundRank } from './refund-state.ts';
import { settlementRank } from './settlement-state.ts';

type ObjectKind = GatewayFact['kind'];

export type Effect = {
  /** The name of the outbound event. */
  readonly name: string;
  readonly objectKind: ObjectKind;
  readonly objectId: string;
  /** Distinguishes effects with the same name and object. Each is published separately. */
  readonly occasion: string;
  /** The status for the delivery report. The status with the highest rank wins. */
  readonly delivery: Delivery;
};

type Delivery = {
  /** Identifies the delivery together with the kind and ID of the object. */
  readonly part: string;
  readonly status: string;
  readonly rank: number;
};

/** Our IDs of the object, since the fact may have only the gateway's own ID. */
export type ObjectIds = { readonly objectId: string; readonly linkId?: string | undefined };

export function effectsOf(fact: GatewayFact, known: ObjectIds): readonly Effect[] {
  switch (fact.kind) {
    case 'payment':
      return paymentEffects(fact, known);
    case 'link':
      return linkEffects(fact, known);
    case 'subscription':
      return subscriptionEffects(fact, known);
    case 'order':
      return single(fact, known, { name: ORDER_NAMES[fact.status], rank: orderRank(fact.status) });
    case 'refund':
      return single(fact, known, {
        name: REFUND_NAMES[fact.status],
        rank: refundRank(fact.status),
      });
    case 'dispute':
      return single(fact, known, {
        name: disputeName(fact),
        rank: disputeRank(fact),
        occasion: `${fact.type} ${fact.status}`,
      });
    case 'vendor':
      return single(fact, known, { name: 'vendor.status_changed', ...byTime(fact) });
    case 'settlement':
      return single(fact, known, {
        name: settlementName(fact),
        rank: settlementRank(fact.status),
      });
    case 'plan':
      return [];
    case 'notice':
      return [
        {
          name: fact.name,
          objectKind: fact.about,
          objectId: known.objectId,
          occasion: String(fact.atMs ?? ''),
          delivery: {
            part: `${fact.name} ${fact.atMs ?? ''}`,
            status: lastWord(fact.name),
            rank: 1,
          },
        },
      ];
  }
}

type Names = Readonly<Record<string, string>>;

const PAYMENT_NAMES: Names = {
  PENDING: 'payment.pending',
  USER_DROPPED: 'payment.dropped',
  CANCELLED: 'payment.cancelled',
  VOID: 'payment.cancelled',
  FAILED: 'payment.failed',
  SUCCESS: 'payment.succeeded',
};
const RENEWAL_NAMES: Names = {
  CANCELLED: 'subscription.renewal_cancelled',
  FAILED: 'subscription.renewal_failed',
  SUCCESS: 'subscription.renewal_succeeded',
};
/** The activation of the mandate is published by the subscription fact. */
const AUTHORIZATION_NAMES: Names = {
  FAILED: 'mandate.authorization_failed',
  SUCCESS: 'mandate.authorized',
};
const LINK_NAMES: Names = {
  PARTIALLY_PAID: 'payment_link.partially_paid',
  PAID: 'payment_link.paid',
  EXPIRED: 'payment_link.expired',
  CANCELLED: 'payment_link.cancelled',
};
const ORDER_NAMES: Names = {
  PAID: 'order.paid',
  EXPIRED: 'order.expired',
  TERMINATED: 'order.terminated',
};
const REFUND_NAMES: Names = {
  INITIALIZED: 'refund.pending',
  INITIATED: 'refund.pending',
  PENDING: 'refund.pending',
  ONHOLD: 'refund.on_hold',
  CANCELLED: 'refund.cancelled',
  CANCEL: 'refund.cancelled',
  FAILED: 'refund.failed',
  SUCCESS: 'refund.succeeded',
};
const SETTLEMENT_NAMES: Names = {
  INITIATED: 'initiated',
  SUCCESS: 'succeeded',
  FAILED: 'failed',
  REVERSED: 'reversed',
};

/** Above the rank of every retry. */
const PAID_RANK = 60_000;
const RANKS_PER_RETRY = 10;

function paymentEffects(fact: PaymentFact, known: ObjectIds): readonly Effect[] {
  const { paymentKind, status, retryAttempts, cfPaymentId } = fact;
  const names = { ONE_TIME: PAYMENT_NAMES, RENEWAL: RENEWAL_NAMES }[
    paymentKind as 'ONE_TIME' | 'RENEWAL'
  ];
  const rank =
    status === 'SUCCESS' ? PAID_RANK : retryAttempts * RANKS_PER_RETRY + paymentRank(status);
  const effects = single(fact, known, {
    name: (names ?? AUTHORIZATION_NAMES)[status],
    rank,
    occasion: paymentKind === 'RENEWAL' ? String(retryAttempts) : '',
  });
  if (status !== 'USER_DROPPED' || known.linkId === undefined) return effects;
  return [...effects, abandoned(known.linkId, cfPaymentId)];
}

function linkEffects(fact: LinkFact, known: ObjectIds): readonly Effect[] {
  const { status, amountPaidMinor = 0n } = fact;
  const effects = single(fact, known, {
    name: LINK_NAMES[status],
    rank: linkRank(status),
    // Each partial payment is a separate occasion.
    occasion: status === 'PARTIALLY_PAID' ? String(amountPaidMinor) : '',
  });
  if (status !== 'EXPIRED' || amountPaidMinor > 0n) return effects;
  return [...effects, abandoned(known.objectId, 'expired')];
}

function abandoned(linkId: string, occasion: string): Effect {
  return {
    name: 'payment_link.abandoned',
    objectKind: 'link',
    objectId: linkId,
    occasion,
    delivery: { part: '', status: 'abandoned', rank: 0 },
  };
}

function subscriptionEffects(fact: SubscriptionFact, known: ObjectIds): readonly Effect[] {
  const { status, authorizationStatus } = fact;
  const effects =
    status === undefined
      ? []
      : single(fact, known, { name: subscriptionName(status), ...byTime(fact) });
  if (status !== 'ACTIVE' && authorizationStatus !== 'ACTIVE') return effects;
  // Published once per mandate, even if it is put on hold and reactivated.
  return [
    ...effects,
    {
      name: 'mandate.activated',
      objectKind: 'subscription',
      objectId: known.objectId,
      occasion: '',
      delivery: { part: 'mandate', status: 'activated', rank: 1 },
    },
  ];
}

function subscriptionName(status: string): string {
  return status === 'ACTIVE' ? 'subscription.activated' : `subscription.${wordOf(status)}`;
}

function disputeName({ status }: DisputeFact): string {
  if (isWon(status)) return 'dispute.won';
  if (status.endsWith('MERCHANT_LOST')) return 'dispute.lost';
  if (status.endsWith('MERCHANT_ACCEPTED')) return 'dispute.accepted';
  return status.endsWith('CREATED') ? 'dispute.created' : 'dispute.updated';
}

function settlementName({ vendorId, status }: SettlementFact): string {
  const family = vendorId === undefined ? 'settlement' : 'vendor_settlement';
  return `${family}.${SETTLEMENT_NAMES[status] ?? wordOf(status)}`;
}

type Publication = {
  /** Undefined if the status is not published. */
  readonly name: string | undefined;
  readonly rank: number;
  readonly occasion?: string;
  readonly part?: string;
};

function single(
  fact: Exclude<GatewayFact, { kind: 'notice' }>,
  { objectId }: ObjectIds,
  { name, rank, occasion = '', part = '' }: Publication,
): readonly Effect[] {
  if (name === undefined) return [];
  const status = (fact.status ?? '').toLowerCase();
  const delivery = { part, status, rank: Math.max(rank, 0) };
  return [{ name, objectKind: fact.kind, objectId, occasion, delivery }];
}

/** Statuses that can recur: each time is a separate occasion. */
function byTime({
  status,
  atMs,
}: {
  readonly status?: string | undefined;
  atMs?: number | undefined;
}) {
  const moment = `${status} ${atMs ?? ''}`;
  return { rank: 1, occasion: moment, part: moment };
}

function lastWord(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

/** Converts a status to a part of a dotted name. */
function wordOf(status: string): string {
  return status.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_');
}
