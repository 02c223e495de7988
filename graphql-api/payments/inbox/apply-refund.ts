import { recordRefund } from '../../partner/reversal.record.ts';
import type { RefundFact } from '../facts/facts.ts';
import { isLateRefund, nextRefund, type RefundState } from '../facts/refund-state.ts';
import { addUpRefunds, lockParent } from './add-up-parent.ts';
import { type Applied, type ApplyScope, isoOf, msOf, readMs } from './apply-scope.ts';
import { awaitedNames } from './awaited.ts';
import { findParent } from './find-parent.ts';
import { onlyPaymentOf } from './only-payment.ts';
import { type Owner, ownerOf } from './owner.ts';
import { recordEffects } from './record-effects.ts';

/**
 * Applies a refund, whether we requested it, someone initiated it in the gateway's dashboard, or
 * the gateway did.
 */
export async function applyRefund(scope: ApplyScope, fact: RefundFact): Promise<Applied> {
  const asked = await findRefund(scope, fact);
  const parent = await findParent(scope, { ...fact, ...namesOf(asked, fact) });
  const owner = await ownerOf(scope, asked ?? parent);
  if (owner === undefined) return { kind: 'unknown', awaited: awaitedOf(fact) };
  const parents = { orderId: parent?.orderId ?? null, linkId: parent?.linkId ?? null };
  await lockParent(scope, parents);
  const refund = await lockRefund(scope, fact, owner);
  const next = nextRefund(refund.state, fact);
  await writeRefund(scope, refund.id, next);
  if (next.status === 'SUCCESS') await addUpRefunds(scope, parents);
  if (owner.payerOrganizationId !== null && fact.status === 'SUCCESS') {
    const paymentId = next.cfPaymentId ?? (await onlyPaymentOf(scope, next.orderId));
    // The wallet needs the payment, which is not known yet.
    if (paymentId === undefined) return { kind: 'unknown', awaited: awaitedOf(fact) };
    const { refundId, amountMinor } = fact;
    if (amountMinor > 0n) await recordRefund(scope, { id: refundId, paymentId, amountMinor });
  }
  return recordEffects(scope, {
    fact,
    known: { objectId: fact.refundId },
    owner,
    isLate: isLateRefund(refund.state, fact),
  });
}

type RefundRow = Owner & {
  readonly id: string;
  readonly status: string;
  readonly statusAtMs: string | null;
  readonly cfRefundId: string | null;
  readonly cfPaymentId: string | null;
  readonly orderId: string | null;
  readonly subscriptionId: string | null;
  readonly arn: string | null;
  readonly processedSpeed: string | null;
};

const COLUMNS = `id, workspace_id AS "workspaceId", payer_organization_id AS "payerOrganizationId",
  status, ${msOf('status_at')} AS "statusAtMs", cf_id AS "cfRefundId",
  cf_payment_id AS "cfPaymentId", order_id AS "orderId", subscription_id AS "subscriptionId", arn,
  processed_speed AS "processedSpeed"`;

async function findRefund(
  { em, accountId }: ApplyScope,
  { refundId }: RefundFact,
): Promise<RefundRow | undefined> {
  const [row] = await em.execute<RefundRow[]>(
    `SELECT ${COLUMNS} FROM gateway_refunds WHERE account_id = ? AND refund_id = ?`,
    [accountId, refundId],
  );
  return row;
}

/**
 * Locks the row of the refund until the end of the transaction. Inserts it if we did not request
 * the refund.
 */
async function lockRefund(
  { em, deps, accountId }: ApplyScope,
  fact: RefundFact,
  owner: Owner,
): Promise<{ readonly id: string; readonly state: RefundState | undefined }> {
  const now = new Date(deps.clock.nowMs()).toISOString();
  const [row] = await em.execute<(RefundRow & { isNew: boolean })[]>(
    `INSERT INTO gateway_refunds (id, account_id, workspace_id, payer_organization_id, refund_id,
       status, amount_minor, currency, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?::bigint, ?, ?, ?)
     ON CONFLICT (account_id, refund_id) DO UPDATE SET refund_id = excluded.refund_id
     RETURNING xmax = 0 AS "isNew", ${COLUMNS}`,
    [
      deps.newId(),
      accountId,
      owner.workspaceId,
      owner.payerOrganizationId,
      fact.refundId,
      fact.status,
      String(fact.amountMinor),
      fact.currency,
      now,
      now,
    ],
  );
  return { id: row!.id, state: row!.isNew ? undefined : stateOf(row!) };
}

async function writeRefund(
  { em, deps }: ApplyScope,
  id: string,
  state: RefundState,
): Promise<void> {
  await em.execute(
    `UPDATE gateway_refunds SET status = ?, status_at = ?, cf_id = ?, cf_payment_id = ?,
       order_id = ?, subscription_id = ?, arn = ?, processed_speed = ?, updated_at = ?
     WHERE id = ?`,
    [
      state.status,
      isoOf(state.statusAtMs),
      state.cfRefundId ?? null,
      state.cfPaymentId ?? null,
      state.orderId ?? null,
      state.subscriptionId ?? null,
      state.arn ?? null,
      state.processedSpeed ?? null,
      new Date(deps.clock.nowMs()).toISOString(),
      id,
    ],
  );
}

function stateOf(row: RefundRow): RefundState {
  return {
    status: row.status,
    statusAtMs: readMs(row.statusAtMs),
    cfRefundId: row.cfRefundId ?? undefined,
    cfPaymentId: row.cfPaymentId ?? undefined,
    orderId: row.orderId ?? undefined,
    subscriptionId: row.subscriptionId ?? undefined,
    arn: row.arn ?? undefined,
    processedSpeed: row.processedSpeed ?? undefined,
  };
}

function namesOf(asked: RefundRow | undefined, fact: RefundFact) {
  return {
    cfPaymentId: fact.cfPaymentId ?? asked?.cfPaymentId ?? undefined,
    orderId: fact.orderId ?? asked?.orderId ?? undefined,
    subscriptionId: fact.subscriptionId ?? asked?.subscriptionId ?? undefined,
    cfLinkId: undefined,
    cfSubscriptionId: undefined,
  };
}

function awaitedOf({ refundId, cfPaymentId, orderId }: RefundFact): readonly string[] {
  return awaitedNames({ refund: refundId, payment: cfPaymentId, order: orderId });
}
