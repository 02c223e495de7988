import { recordRefund } from '../../partner/reversal.record.ts';
import { kysely, type RowOf, sql } from '../../platform/database/kysely.ts';
import type { RefundFact } from '../facts/facts.ts';
import { isLateRefund, nextRefund, type RefundState } from '../facts/refund-state.ts';
import { addUpRefunds, lockParent } from './add-up-parent.ts';
import { type Applied, type ApplyScope, dateOf } from './apply-scope.ts';
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

async function findRefund({ em, accountId }: ApplyScope, { refundId }: RefundFact) {
  return kysely(em)
    .selectFrom('gateway_refunds')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('refundId', '=', refundId)
    .executeTakeFirst();
}

/**
 * Locks the row of the refund until the end of the transaction. Inserts it if we did not request
 * the refund.
 */
async function lockRefund(
  { em, deps, accountId }: ApplyScope,
  { refundId, status, amountMinor, currency }: RefundFact,
  { workspaceId, payerOrganizationId }: Owner,
): Promise<{ readonly id: string; readonly state: RefundState | undefined }> {
  const now = new Date(deps.clock.nowMs());
  const row = await kysely(em)
    .insertInto('gateway_refunds')
    .values({
      id: deps.newId(),
      accountId,
      workspaceId,
      payerOrganizationId,
      refundId,
      status,
      amountMinor,
      currency,
      createdAt: now,
      updatedAt: now,
    })
    .onConflict(conflict => conflict.columns(['accountId', 'refundId']).doUpdateSet({ refundId }))
    .returningAll()
    .returning(sql<boolean>`xmax = 0`.as('isNew'))
    .executeTakeFirstOrThrow();
  return { id: row.id, state: row.isNew ? undefined : stateOf(row) };
}

async function writeRefund(
  { em, deps }: ApplyScope,
  id: string,
  state: RefundState,
): Promise<void> {
  await kysely(em)
    .updateTable('gateway_refunds')
    .set({
      status: state.status,
      statusAt: dateOf(state.statusAtMs),
      cfId: state.cfRefundId ?? null,
      cfPaymentId: state.cfPaymentId ?? null,
      orderId: state.orderId ?? null,
      subscriptionId: state.subscriptionId ?? null,
      arn: state.arn ?? null,
      processedSpeed: state.processedSpeed ?? null,
      updatedAt: new Date(deps.clock.nowMs()),
    })
    .where('id', '=', id)
    .execute();
}

function stateOf(row: RowOf<'gateway_refunds'>): RefundState {
  return {
    status: row.status,
    statusAtMs: row.statusAt?.getTime(),
    cfRefundId: row.cfId ?? undefined,
    cfPaymentId: row.cfPaymentId ?? undefined,
    orderId: row.orderId ?? undefined,
    subscriptionId: row.subscriptionId ?? undefined,
    arn: row.arn ?? undefined,
    processedSpeed: row.processedSpeed ?? undefined,
  };
}

function namesOf(asked: RowOf<'gateway_refunds'> | undefined, fact: RefundFact) {
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
