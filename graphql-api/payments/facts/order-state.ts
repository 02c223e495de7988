import type { OrderFact } from './facts.ts';
import { furthest, rankIn, ranksOf, timeOf } from './furthest.ts';

export type OrderState = {
  readonly status: string;
  readonly statusAtMs: number | undefined;
  readonly cfOrderId: string | undefined;
};

const RANKS = ranksOf('ACTIVE', 'TERMINATION_REQUESTED', 'EXPIRED', 'TERMINATED', 'PAID');

export function nextOrder(current: OrderState | undefined, fact: OrderFact): OrderState {
  const { status, atMs, cfOrderId } = fact;
  return furthest<OrderState>(current, { status, statusAtMs: atMs, cfOrderId }, state => [
    rankIn(RANKS, state.status),
    timeOf(state.statusAtMs),
  ]);
}

export function isLateOrder(
  current: Pick<OrderState, 'status'> | undefined,
  fact: Pick<OrderFact, 'status'>,
): boolean {
  return current !== undefined && orderRank(fact.status) < orderRank(current.status);
}

export function orderRank(status: string): number {
  return rankIn(RANKS, status);
}

export const OPEN_ORDER_STATUSES = ['CREATING', 'ACTIVE', 'TERMINATION_REQUESTED'];
