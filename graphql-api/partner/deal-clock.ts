// The two deadlines of a deal. They are evaluated on read, so an overdue deal is EXPIRED even
// before the job updates its row. `expire_overdue_deals` in the database applies the same rules.

import { DAY_MS } from '../../schema/values/durations.ts';
import type { DealStatus } from './agency.contract.ts';
import type { AgencyDeal } from './deal.entity.ts';

const PROOF_DAYS = 14;
const EXCLUSIVITY_DAYS = 90;

export function proofDueAt(registeredAtMs: number): Date {
  return new Date(registeredAtMs + PROOF_DAYS * DAY_MS);
}

export function lockedUntil(registeredAtMs: number): Date {
  return new Date(registeredAtMs + EXCLUSIVITY_DAYS * DAY_MS);
}

export type DealState = {
  readonly status: DealStatus;
  readonly statusReason: string | null;
  readonly closedAt: Date | null;
};

type Clocked = Pick<
  AgencyDeal,
  'status' | 'statusReason' | 'closedAt' | 'proofDueAt' | 'lockedUntil'
>;

/**
 * A proof is accepted at exactly the deadline, but the exclusivity has ended at exactly
 * `lockedUntil`.
 */
export function dealStateAt(deal: Clocked, nowMs: number): DealState {
  const { status } = deal;
  if (status === 'REGISTERED' && deal.proofDueAt.getTime() < nowMs)
    return { status: 'EXPIRED', statusReason: 'PROOF_NOT_SUBMITTED', closedAt: deal.proofDueAt };
  if (isOpen(status) && deal.lockedUntil.getTime() <= nowMs)
    return { status: 'EXPIRED', statusReason: 'EXCLUSIVITY_ENDED', closedAt: deal.lockedUntil };
  return { status, statusReason: deal.statusReason ?? null, closedAt: deal.closedAt ?? null };
}

export function isOpen(status: DealStatus): boolean {
  return status === 'REGISTERED' || status === 'PROOF_SUBMITTED';
}
