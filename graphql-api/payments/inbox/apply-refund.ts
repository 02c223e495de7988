import { recordRefund } from '../../partner/reversal.record.ts';
import { kysely, type RowOf } from '../../platform/database/kysely.ts';
import type { RefundFact } from '../facts/facts.ts';
import { isLateRefund, nextRefund, type RefundState } from '../facts/refund-state.ts';
import { addUpRefunds, lockParent } from './add-up-parent.ts';
import type { Applied, ApplyScope } from './apply-scope.ts';
import { awaitedNames } from './awaited.ts';
import { findParent, onlyPaymentOf, ownerOf } from './find-parent.ts';
import { recordEffects } from './record-effects.ts';
import { stateRows } from './state-rows.ts';

const REFUNDS = stateRows<RefundState, 'gateway_refunds'>('gateway_refunds', {
  status: 'status',
  statusAtMs: 'statusAt',
  cfRefundId: 'cfId',
  cfPaymentId: 'cfPaymentId',
  orderId: 'orderId',
  subscriptionId: 'subscriptionId',
  arn: 'arn',
  processedSpeed: 'processedSpeed',
});

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
  const { refundId, status, amountMinor, currency } = fact;
  const { workspaceId, payerOrganizationId } = owner;
  const refund = await REFUNDS.lock(
    scope,
    { refundId },
    { workspaceId, payerOrganizationId, status, amountMinor, currency },
  );
  const next = nextRefund(refund.state, fact);
  await REFUNDS.write(scope, refund.id, next);
  if (next.status === 'SUCCESS') await addUpRefunds(scope, parents);
  if (payerOrganizationId !== null && status === 'SUCCESS') {
    const paymentId = next.cfPaymentId ?? (await onlyPaymentOf(scope, next.orderId));
    // The wallet needs the payment, which is not known yet.
    if (paymentId === undefined) return { kind: 'unknown', awaited: awaitedOf(fact) };
    if (amountMinor > 0n) await recordRefund(scope, { id: refundId, paymentId, amountMinor });
  }
  return recordEffects(scope, {
    fact,
    known: { objectId: refundId },
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
