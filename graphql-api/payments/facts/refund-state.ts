import type { RefundFact } from './facts.ts';
import { furthest, rankIn, ranksOf, timeOf } from './furthest.ts';

export type RefundState = {
  readonly status: string;
  readonly statusAtMs: number | undefined;
  readonly cfRefundId: string | undefined;
  readonly cfPaymentId: string | undefined;
  readonly orderId: string | undefined;
  readonly subscriptionId: string | undefined;
  readonly arn: string | undefined;
  readonly processedSpeed: string | undefined;
};

/** A successful refund is final. */
const RANKS = ranksOf(
  ['INITIALIZED', 'INITIATED', 'PENDING', 'ACTIVE'],
  'ONHOLD',
  ['CANCELLED', 'CANCEL'],
  'FAILED',
  'SUCCESS',
);

export function nextRefund(current: RefundState | undefined, fact: RefundFact): RefundState {
  return furthest(current, stateOf(fact), ({ status, statusAtMs }) => [
    rankIn(RANKS, status),
    timeOf(statusAtMs),
  ]);
}

export function isLateRefund(
  current: Pick<RefundState, 'status'> | undefined,
  fact: RefundFact,
): boolean {
  return current !== undefined && refundRank(fact.status) < refundRank(current.status);
}

export function refundRank(status: string): number {
  return rankIn(RANKS, status);
}

/** The reconciler queries refunds with these statuses. */
export const OPEN_REFUND_STATUSES = ['CREATING', 'INITIALIZED', 'PENDING', 'ACTIVE', 'ONHOLD'];

function stateOf(fact: RefundFact): RefundState {
  const { status, cfRefundId, cfPaymentId, orderId, subscriptionId, arn, processedSpeed } = fact;
  return {
    status,
    statusAtMs: fact.atMs,
    cfRefundId,
    cfPaymentId,
    orderId,
    subscriptionId,
    arn,
    processedSpeed,
  };
}
