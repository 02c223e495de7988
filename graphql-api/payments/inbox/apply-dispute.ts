import { PLATFORM_ACCOUNT_ID } from '../../../schema/gateway/account.ts';
import { chargebackWon, recordChargeback } from '../../partner/reversal.record.ts';
import {
  chargesOf,
  type DisputeState,
  isLateDispute,
  nextDispute,
} from '../facts/dispute-state.ts';
import type { DisputeFact } from '../facts/facts.ts';
import { type Applied, type ApplyScope, isoOf, minorText, msOf, readMs } from './apply-scope.ts';
import { awaitedNames } from './awaited.ts';
import { findParent } from './find-parent.ts';
import { onlyPaymentOf } from './only-payment.ts';
import { type Owner, ownerOf } from './owner.ts';
import { recordEffects } from './record-effects.ts';

/**
 * Applies a dispute. If the payment was made to the platform, each stage from CHARGEBACK on claws
 * back what the payer's referrer earned, until the merchant wins.
 */
export async function applyDispute(scope: ApplyScope, fact: DisputeFact): Promise<Applied> {
  const { cfPaymentId, orderId } = fact;
  const owner = await ownerOf(scope, await findParent(scope, { cfPaymentId, orderId }));
  // The owner comes from the disputed payment, which may not have arrived yet.
  if (owner === undefined)
    return { kind: 'unknown', awaited: awaitedNames({ payment: cfPaymentId, order: orderId }) };
  const { id, state: current } = await lockDispute(scope, fact, owner);
  const next = await named(scope, nextDispute(current, fact));
  await writeDispute(scope, id, next);
  if (owner.payerOrganizationId !== null) {
    const isCharged = await charge(scope, fact.disputeId, next);
    if (!isCharged) return { kind: 'unknown', awaited: awaitedNames({ order: next.orderId }) };
  }
  return recordEffects(scope, {
    fact,
    known: { objectId: fact.disputeId },
    owner,
    isLate: isLateDispute(current, fact),
  });
}

async function named(scope: ApplyScope, state: DisputeState): Promise<DisputeState> {
  const { cfPaymentId, orderId } = state;
  return { ...state, cfPaymentId: cfPaymentId ?? (await onlyPaymentOf(scope, orderId)) };
}

/**
 * Uses the state of the dispute, not the latest fact. Returns false if the wallet needs the
 * payment, which is not known yet.
 */
async function charge(scope: ApplyScope, disputeId: string, state: DisputeState): Promise<boolean> {
  if (scope.accountId !== PLATFORM_ACCOUNT_ID) return true;
  const { cfPaymentId: paymentId } = state;
  const { taken, won } = chargesOf(state);
  if (paymentId === undefined) return taken.length + won.length === 0;
  for (const stage of taken)
    await recordChargeback(scope, { id: `${disputeId}:${stage}`, paymentId });
  for (const stage of won) await chargebackWon(scope, { id: `${disputeId}:${stage}`, paymentId });
  return true;
}

type DisputeRow = {
  readonly id: string;
  readonly isNew: boolean;
  readonly type: string;
  readonly status: string;
  readonly statusAtMs: string | null;
  readonly cfPaymentId: string | null;
  readonly orderId: string | null;
  readonly amountMinor: string | null;
  readonly currency: string | null;
  readonly reasonCode: string | null;
  readonly reason: string | null;
  readonly respondByMs: string | null;
};

async function lockDispute(
  { em, deps, accountId }: ApplyScope,
  fact: DisputeFact,
  owner: Owner,
): Promise<{ readonly id: string; readonly state: DisputeState | undefined }> {
  const now = new Date(deps.clock.nowMs()).toISOString();
  const [row] = await em.execute<DisputeRow[]>(
    `INSERT INTO gateway_disputes (id, account_id, workspace_id, payer_organization_id, dispute_id,
       type, status, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (account_id, dispute_id) DO UPDATE SET dispute_id = excluded.dispute_id
     RETURNING id, xmax = 0 AS "isNew", type, status, ${msOf('status_at')} AS "statusAtMs",
       cf_payment_id AS "cfPaymentId", order_id AS "orderId", amount_minor AS "amountMinor", currency,
       reason_code AS "reasonCode", reason, ${msOf('respond_by')} AS "respondByMs"`,
    [
      deps.newId(),
      accountId,
      owner.workspaceId,
      owner.payerOrganizationId,
      fact.disputeId,
      fact.type,
      fact.status,
      now,
      now,
    ],
  );
  return { id: row!.id, state: row!.isNew ? undefined : stateOf(row!) };
}

function stateOf(row: DisputeRow): DisputeState {
  return {
    type: row.type,
    status: row.status,
    statusAtMs: readMs(row.statusAtMs),
    cfPaymentId: row.cfPaymentId ?? undefined,
    orderId: row.orderId ?? undefined,
    amountMinor: row.amountMinor === null ? undefined : BigInt(row.amountMinor),
    currency: row.currency ?? undefined,
    reasonCode: row.reasonCode ?? undefined,
    reason: row.reason ?? undefined,
    respondByMs: readMs(row.respondByMs),
  };
}

async function writeDispute(
  { em, deps }: ApplyScope,
  id: string,
  state: DisputeState,
): Promise<void> {
  await em.execute(
    `UPDATE gateway_disputes SET type = ?, status = ?, status_at = ?, cf_payment_id = ?,
       order_id = ?, amount_minor = ?::bigint, currency = ?, reason_code = ?, reason = ?,
       respond_by = ?, updated_at = ?
     WHERE id = ?`,
    [
      state.type,
      state.status,
      isoOf(state.statusAtMs),
      state.cfPaymentId ?? null,
      state.orderId ?? null,
      minorText(state.amountMinor),
      state.currency ?? null,
      state.reasonCode ?? null,
      state.reason ?? null,
      isoOf(state.respondByMs),
      new Date(deps.clock.nowMs()).toISOString(),
      id,
    ],
  );
}
