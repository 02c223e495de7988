import type { SubscriptionFact } from './facts.ts';
import { furthest, isBehind, type Position, rankIn, ranksOf, timeOf } from './furthest.ts';

export type SubscriptionState = {
  readonly status: string;
  readonly statusAtMs: number | undefined;
  readonly cfSubscriptionId: string | undefined;
  readonly authorizationStatus: string | undefined;
  readonly paymentMethod: string | undefined;
  readonly nextChargeAtMs: number | undefined;
};

/** Decides only between statuses of the same time. Otherwise the latest status wins. */
const RANKS = ranksOf(
  ['INITIALISED', 'INITIALIZED'],
  'BANK_APPROVAL_PENDING',
  'ACTIVE',
  'ON_HOLD',
  ['PAUSED', 'CUSTOMER_PAUSED'],
  'CARD_EXPIRED',
  'LINK_EXPIRED',
  'COMPLETED',
  'EXPIRED',
  ['CANCELLED', 'CUSTOMER_CANCELLED'],
);
/** Final statuses, regardless of their time. */
const FINAL = new Set(['LINK_EXPIRED', 'COMPLETED', 'EXPIRED', 'CANCELLED', 'CUSTOMER_CANCELLED']);
const AUTHORIZATIONS = ranksOf(['INITIALIZED', 'PENDING'], 'FAILED', 'ACTIVE');

export function nextSubscription(
  current: SubscriptionState | undefined,
  fact: SubscriptionFact,
): SubscriptionState {
  const said = stateOf(fact);
  // A fact about the authorization alone does not change the status.
  const next =
    fact.status === undefined
      ? { ...said, ...defined(current ?? {}) }
      : furthest(current, said, positionOf);
  return {
    ...next,
    authorizationStatus: furtherAuthorization(
      current?.authorizationStatus,
      fact.authorizationStatus,
    ),
  };
}

export function isLateSubscription(
  current: SubscriptionState | undefined,
  fact: SubscriptionFact,
): boolean {
  return fact.status !== undefined && isBehind(current, stateOf(fact), positionOf);
}

export const OPEN_SUBSCRIPTION_STATUSES = [
  'CREATING',
  'INITIALISED',
  'INITIALIZED',
  'BANK_APPROVAL_PENDING',
  'ACTIVE',
  'ON_HOLD',
  'PAUSED',
  'CUSTOMER_PAUSED',
  'CARD_EXPIRED',
];

function positionOf({ status, statusAtMs }: SubscriptionState): Position {
  const rank = rankIn(RANKS, status);
  // Our own and unknown statuses have no comparable time.
  return [FINAL.has(status) ? 1 : Math.min(rank, 0), timeOf(statusAtMs), rank];
}

function stateOf(fact: SubscriptionFact): SubscriptionState {
  const { status = 'CREATING', cfSubscriptionId, authorizationStatus, paymentMethod } = fact;
  const { nextChargeAtMs } = fact;
  return {
    status,
    statusAtMs: fact.status === undefined ? undefined : fact.atMs,
    cfSubscriptionId,
    authorizationStatus,
    paymentMethod,
    nextChargeAtMs,
  };
}

function furtherAuthorization(
  one: string | undefined,
  other: string | undefined,
): string | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return rankIn(AUTHORIZATIONS, other) > rankIn(AUTHORIZATIONS, one) ? other : one;
}

function defined<S extends object>(state: S): Partial<S> {
  return Object.fromEntries(
    Object.entries(state).filter(([, value]) => value !== undefined),
  ) as Partial<S>;
}
