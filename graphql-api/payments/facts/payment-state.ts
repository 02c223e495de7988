import type { PaymentFact, PaymentKind, StateOf } from './facts.ts';
import { furthest, type Position, rankIn, ranksOf, timeOf } from './furthest.ts';

export type PaymentState = StateOf<
  PaymentFact,
  'cfPaymentId' | 'cfLinkId' | 'subscriptionId' | 'cfSubscriptionId' | 'customerId'
>;

/** A failed payment may still succeed (late authorization). A successful payment never fails. */
const RANKS = ranksOf(
  ['NOT_ATTEMPTED', 'INITIALIZED', 'SCHEDULED'],
  'PENDING',
  'USER_DROPPED',
  ['CANCELLED', 'VOID'],
  'FAILED',
  'SUCCESS',
);
/** Payment events also report authorization debits, which must not count as income. */
const KINDS: readonly PaymentKind[] = ['ONE_TIME', 'RENEWAL', 'MANDATE_AUTHORIZATION'];

export function nextPayment(current: PaymentState | undefined, fact: PaymentFact): PaymentState {
  const next = furthest(current, stateOf(fact), positionOf);
  const kinds = [current?.paymentKind ?? fact.paymentKind, fact.paymentKind];
  const paymentKind = KINDS.findLast(kind => kinds.includes(kind))!;
  return { ...next, paymentKind, failure: next.status === 'FAILED' ? next.failure : undefined };
}

/** The fact was true, but a later state is known. Receivers should not act on it. */
export function isLatePayment(current: PaymentState | undefined, fact: PaymentFact): boolean {
  if (current === undefined || fact.status === 'SUCCESS') return false;
  if (current.status === 'SUCCESS') return true;
  // Each retry can fail separately.
  return (
    fact.retryAttempts === current.retryAttempts &&
    rankIn(RANKS, fact.status) < rankIn(RANKS, current.status)
  );
}

export function paymentRank(status: string): number {
  return rankIn(RANKS, status);
}

function positionOf({ status, retryAttempts, statusAtMs }: PaymentState): Position {
  // A later retry can be pending although an earlier one failed.
  return [status === 'SUCCESS' ? 1 : 0, retryAttempts, rankIn(RANKS, status), timeOf(statusAtMs)];
}

function stateOf(fact: PaymentFact): PaymentState {
  const { status, atMs, paidAtMs = atMs } = fact;
  return { ...fact, statusAtMs: atMs, paidAtMs: status === 'SUCCESS' ? paidAtMs : undefined };
}
