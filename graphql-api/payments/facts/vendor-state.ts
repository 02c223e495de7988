import type { VendorFact } from './facts.ts';
import { furthest, isBehind, type Position, rankIn, ranksOf, timeOf } from './furthest.ts';

export type VendorState = { readonly status: string; readonly statusAtMs: number | undefined };

/** The latest status wins; this order decides between statuses of the same time. */
const RANKS = ranksOf(
  ['KYC_PENDING', 'IN_BENE_CREATION', 'IN_BANK_VALIDATION', 'IN_KYC_REVIEW'],
  ['BENE_CREATION_FAILED', 'BANK_VALIDATION_FAILED', 'ACTION_REQUIRED'],
  'ACTIVE',
  ['ON_HOLD', 'BLOCKED'],
  'DELETED',
);

export function nextVendor(current: VendorState | undefined, fact: VendorFact): VendorState {
  return furthest(current, stateOf(fact), positionOf);
}

export function isLateVendor(current: VendorState | undefined, fact: VendorFact): boolean {
  return isBehind(current, stateOf(fact), positionOf);
}

function stateOf({ status, atMs }: VendorFact): VendorState {
  return { status, statusAtMs: atMs };
}

function positionOf({ status, statusAtMs }: VendorState): Position {
  const rank = rankIn(RANKS, status);
  // A deleted vendor stays deleted.
  return [status === 'DELETED' ? 1 : Math.min(rank, 0), timeOf(statusAtMs), rank];
}
