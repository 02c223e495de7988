import type { SettlementFact, StateOf } from './facts.ts';
import { byRank } from './furthest.ts';

export type SettlementState = StateOf<SettlementFact, 'settlementId' | 'vendorId'>;

/** The bank can return a successful settlement. */
const STATUSES = byRank(['CREATED', 'INITIATED'], 'FAILED', 'SUCCESS', 'REVERSED');

export const { rankOf: settlementRank, isLate: isLateSettlement } = STATUSES;

export function nextSettlement(
  current: SettlementState | undefined,
  fact: SettlementFact,
): SettlementState {
  return STATUSES.furthest<SettlementState>(current, { ...fact, statusAtMs: fact.atMs });
}
