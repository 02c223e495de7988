import type { SettlementFact } from './facts.ts';
import { furthest, rankIn, ranksOf, timeOf } from './furthest.ts';

export type SettlementState = {
  readonly status: string;
  readonly statusAtMs: number | undefined;
  readonly amountMinor: bigint | undefined;
  readonly currency: string | undefined;
  readonly bankReference: string | undefined;
  readonly settledAtMs: number | undefined;
};

/** The bank can return a successful settlement. */
const RANKS = ranksOf(['CREATED', 'INITIATED'], 'FAILED', 'SUCCESS', 'REVERSED');

export function nextSettlement(
  current: SettlementState | undefined,
  fact: SettlementFact,
): SettlementState {
  const { status, atMs, amountMinor, currency, bankReference, settledAtMs } = fact;
  return furthest<SettlementState>(
    current,
    { status, statusAtMs: atMs, amountMinor, currency, bankReference, settledAtMs },
    state => [rankIn(RANKS, state.status), timeOf(state.statusAtMs)],
  );
}

export function isLateSettlement(
  current: Pick<SettlementState, 'status'> | undefined,
  fact: SettlementFact,
): boolean {
  return current !== undefined && settlementRank(fact.status) < settlementRank(current.status);
}

export function settlementRank(status: string): number {
  return rankIn(RANKS, status);
}
