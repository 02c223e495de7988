import { LockMode } from '@mikro-orm/postgresql';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { AgencyDeal } from './deal.entity.ts';
import { type DealState, dealStateAt } from './deal-clock.ts';

export type LockedDeal = { readonly deal: AgencyDeal; readonly state: DealState };

/** Locks a deal and evaluates its current state. Only platform admins may omit `organizationId`. */
export async function lockDeal(
  { em, deps }: ActionScope,
  id: string,
  organizationId?: string,
): Promise<LockedDeal> {
  const where = organizationId === undefined ? { id } : { id, organizationId };
  const deal = await em.findOne(AgencyDeal, where, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (deal === null)
    return reject('NOT_FOUND', { field: ['id'], message: 'No deal exists with this ID.' });
  return { deal, state: dealStateAt(deal, deps.clock.nowMs()) };
}

export function refuseStatus({ state }: LockedDeal, why: string): never {
  return reject('DEAL_STATUS', { field: ['id'], message: `The deal is ${state.status}; ${why}` });
}
