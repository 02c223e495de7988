// The steps of a deal after its registration. Its agency submits proofs or withdraws it, a platform
// admin marks it as won or lost. Closing is idempotent.

import type { Updateable } from 'kysely';
import { lockEntity } from '../platform/change-entity.ts';
import { countOf } from '../platform/database/count-of.ts';
import { kysely, type Tables } from '../platform/database/kysely.ts';
import { notFound, reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import type { DealLose, DealSubmitProof, DealWin, DealWithdraw } from './agency.contract.ts';
import { AgencyDeal } from './deal.entity.ts';
import { type DealState, dealStateAt, isOpen } from './deal-clock.ts';
import { DealProof } from './deal-proof.entity.ts';
import { requireMinor } from './require-amount.ts';

/** More than three proofs per day until the deadline. */
const PROOFS_MAX = 50;

type Advanced = { readonly id: string };

/** The newest proof counts. */
export async function dealSubmitProof(
  scope: ActionScope,
  { id, proofType, proofDocumentUrl, notes }: DealSubmitProof,
): Promise<Advanced> {
  const { em, viewer, deps } = scope;
  const locked = await lockDeal(scope, id, viewer.organizationId);
  const { deal, state } = locked;
  const createdAt = now(scope);
  const isClosed = !isOpen(state.status) && state.status !== 'EXPIRED';
  if (isClosed) return refuseStatus(locked, 'it no longer accepts proof.');
  if (state.status === 'EXPIRED' || createdAt > deal.proofDueAt)
    return reject('PROOF_DEADLINE_PASSED');
  if ((await countOf(em, DealProof, { dealId: id })) >= PROOFS_MAX)
    return refuseStatus(locked, `it has reached its maximum of ${PROOFS_MAX} proofs.`);
  await em.insert(DealProof, {
    id: deps.newId(),
    dealId: id,
    organizationId: deal.organizationId,
    proofType,
    documentUrl: proofDocumentUrl,
    notes: notes ?? '',
    createdBy: viewer.userId,
    createdAt,
  });
  const status = 'PROOF_SUBMITTED';
  return advance(scope, locked, 'agency_deal.proof', { status }, { status, proofType });
}

/** The domain becomes available immediately. */
export async function dealWithdraw(scope: ActionScope, { id }: DealWithdraw): Promise<Advanced> {
  const locked = await lockDeal(scope, id, scope.viewer.organizationId);
  const { status } = locked.state;
  if (status === 'WITHDRAWN') return { id };
  if (!isOpen(status)) return refuseStatus(locked, 'only an open deal can be withdrawn.');
  const change = { status: 'WITHDRAWN', isExclusive: false, closedAt: now(scope) } as const;
  return advance(scope, locked, 'agency_deal.withdraw', change, { status: 'WITHDRAWN' });
}

/** The domain stays locked until the exclusivity ends. */
export async function dealWin(
  scope: ActionScope,
  { id, actualDealValue }: DealWin,
): Promise<Advanced> {
  const locked = await lockDeal(scope, id);
  const { deal, state } = locked;
  const actualValueMinor = requireMinor(actualDealValue, deal.currency, 'actualDealValue');
  if (state.status === 'WON' && deal.actualValueMinor === actualValueMinor) return { id };
  requireProof(locked);
  const change = { status: 'WON', actualValueMinor, closedAt: now(scope) } as const;
  return advance(scope, locked, 'agency_deal.win', change, {
    status: 'WON',
    actualValueMinor: String(actualValueMinor),
    currency: deal.currency,
  });
}

/** The domain becomes available immediately. */
export async function dealLose(scope: ActionScope, { id, reason }: DealLose): Promise<Advanced> {
  const locked = await lockDeal(scope, id);
  const { deal, state } = locked;
  if (state.status === 'LOST' && deal.statusReason === reason) return { id };
  requireProof(locked);
  const after = { status: 'LOST', statusReason: reason } as const;
  const change = { ...after, isExclusive: false, closedAt: now(scope) };
  return advance(scope, locked, 'agency_deal.lose', change, after);
}

type LockedDeal = { readonly deal: AgencyDeal; readonly state: DealState };

/** Locks a deal and evaluates its current state. Only platform admins may omit `organizationId`. */
async function lockDeal(
  scope: ActionScope,
  id: string,
  organizationId?: string,
): Promise<LockedDeal> {
  const where = organizationId === undefined ? { id } : { id, organizationId };
  const deal = (await lockEntity(scope, AgencyDeal, where)) ?? notFound('deal', 'id');
  return { deal, state: dealStateAt(deal, scope.deps.clock.nowMs()) };
}

function requireProof(locked: LockedDeal): void {
  if (locked.state.status !== 'PROOF_SUBMITTED')
    refuseStatus(locked, 'only a deal with the status PROOF_SUBMITTED can be won or lost.');
}

function refuseStatus({ state }: LockedDeal, why: string): never {
  return reject('DEAL_STATUS', { field: ['id'], message: `The deal is ${state.status}; ${why}` });
}

async function advance(
  { em, audit }: ActionScope,
  { deal: { id, organizationId }, state }: LockedDeal,
  action: string,
  change: Updateable<Tables['agency_deals']>,
  after: Readonly<Record<string, unknown>>,
): Promise<Advanced> {
  await kysely(em).updateTable('agency_deals').set(change).where('id', '=', id).execute();
  await audit({
    action,
    subjectId: id,
    organizationId,
    workspaceId: null,
    before: { status: state.status },
    after,
  });
  return { id };
}

function now({ deps }: ActionScope): Date {
  return new Date(deps.clock.nowMs());
}
