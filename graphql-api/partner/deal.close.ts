// Closes a deal other than by a deadline: its agency withdraws it, or a platform admin marks it as
// won or lost. All of these are idempotent.

import { minorOf } from '../../schema/values/money.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import type { DealLose, DealWin, DealWithdraw } from './agency.contract.ts';
import { type LockedDeal, lockDeal, refuseStatus } from './deal.lock.ts';
import { isOpen } from './deal-clock.ts';

type Closed = { readonly id: string };

/** The domain becomes available immediately. */
export async function dealWithdraw(scope: ActionScope, { id }: DealWithdraw): Promise<Closed> {
  const locked = await lockDeal(scope, id, scope.viewer.organizationId);
  const { status } = locked.state;
  if (status === 'WITHDRAWN') return { id };
  if (!isOpen(status)) return refuseStatus(locked, 'only an open deal can be withdrawn.');
  await scope.em.execute(
    `UPDATE agency_deals SET status = 'WITHDRAWN', is_exclusive = false, closed_at = ? WHERE id = ?`,
    [now(scope), id],
  );
  await auditClose(scope, locked, 'agency_deal.withdraw', { status: 'WITHDRAWN' });
  return { id };
}

/** The domain stays locked until the exclusivity ends. */
export async function dealWin(
  scope: ActionScope,
  { id, actualDealValue }: DealWin,
): Promise<Closed> {
  const locked = await lockDeal(scope, id);
  const { deal, state } = locked;
  const actualMinor =
    minorOf(actualDealValue, deal.currency) ??
    reject('BAD_USER_INPUT', {
      field: ['actualDealValue'],
      message: `actualDealValue has more decimals than ${deal.currency} allows.`,
    });
  if (state.status === 'WON' && BigInt(deal.actualValueMinor!) === actualMinor) return { id };
  requireProof(locked);
  await scope.em.execute(
    `UPDATE agency_deals SET status = 'WON', actual_value_minor = ?::bigint, closed_at = ?
     WHERE id = ?`,
    [String(actualMinor), now(scope), id],
  );
  await auditClose(scope, locked, 'agency_deal.win', {
    status: 'WON',
    actualValueMinor: String(actualMinor),
    currency: deal.currency,
  });
  return { id };
}

/** The domain becomes available immediately. */
export async function dealLose(scope: ActionScope, { id, reason }: DealLose): Promise<Closed> {
  const locked = await lockDeal(scope, id);
  const { deal, state } = locked;
  if (state.status === 'LOST' && deal.statusReason === reason) return { id };
  requireProof(locked);
  await scope.em.execute(
    `UPDATE agency_deals SET status = 'LOST', status_reason = ?, is_exclusive = false, closed_at = ?
     WHERE id = ?`,
    [reason, now(scope), id],
  );
  await auditClose(scope, locked, 'agency_deal.lose', { status: 'LOST', statusReason: reason });
  return { id };
}

function requireProof(locked: LockedDeal): void {
  if (locked.state.status !== 'PROOF_SUBMITTED')
    refuseStatus(locked, 'only a deal that is PROOF_SUBMITTED can be won or lost.');
}

async function auditClose(
  { audit }: ActionScope,
  { deal, state }: LockedDeal,
  action: string,
  after: Readonly<Record<string, unknown>>,
): Promise<void> {
  await audit({
    action,
    subjectType: 'agency_deal',
    subjectId: deal.id,
    organizationId: deal.organizationId,
    workspaceId: null,
    before: { status: state.status },
    after,
  });
}

function now({ deps }: ActionScope): string {
  return new Date(deps.clock.nowMs()).toISOString();
}
