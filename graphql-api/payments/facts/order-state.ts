import type { OrderFact, StateOf } from './facts.ts';
import { byRank } from './furthest.ts';

export type OrderState = StateOf<OrderFact, 'orderId'>;

const STATUSES = byRank('ACTIVE', 'TERMINATION_REQUESTED', 'EXPIRED', 'TERMINATED', 'PAID');

export const { rankOf: orderRank, isLate: isLateOrder } = STATUSES;

export function nextOrder(current: OrderState | undefined, fact: OrderFact): OrderState {
  return STATUSES.furthest<OrderState>(current, { ...fact, statusAtMs: fact.atMs });
}

export const OPEN_ORDER_STATUSES = ['CREATING', 'ACTIVE', 'TERMINATION_REQUESTED'];
