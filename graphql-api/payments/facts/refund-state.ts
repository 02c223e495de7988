import type { RefundFact, StateOf } from './facts.ts';
import { byRank } from './furthest.ts';

export type RefundState = StateOf<RefundFact, 'refundId' | 'amountMinor' | 'currency'>;

/** A successful refund is final. */
const STATUSES = byRank(
  ['INITIALIZED', 'INITIATED', 'PENDING', 'ACTIVE'],
  'ONHOLD',
  ['CANCELLED', 'CANCEL'],
  'FAILED',
  'SUCCESS',
);

export const { rankOf: refundRank, isLate: isLateRefund } = STATUSES;

export function nextRefund(current: RefundState | undefined, fact: RefundFact): RefundState {
  return STATUSES.furthest<RefundState>(current, { ...fact, statusAtMs: fact.atMs });
}

/** The reconciler queries refunds with these statuses. */
export const OPEN_REFUND_STATUSES = ['CREATING', 'INITIALIZED', 'PENDING', 'ACTIVE', 'ONHOLD'];

/** No money was given back. With any other status, it was or may have been. */
export const UNDONE_REFUND_STATUSES = ['REFUSED', 'FAILED', 'CANCEL', 'CANCELLED'];
