import { PLATFORM_ACCOUNT_ID } from '../../../schema/gateway/account.ts';
import { chargebackWon, recordChargeback } from '../../partner/reversal.record.ts';
import {
  chargesOf,
  type DisputeState,
  isLateDispute,
  nextDispute,
} from '../facts/dispute-state.ts';
import type { DisputeFact } from '../facts/facts.ts';
import type { Applied, ApplyScope } from './apply-scope.ts';
import { awaitedNames } from './awaited.ts';
import { findParent, onlyPaymentOf, ownerOf } from './find-parent.ts';
import { recordEffects } from './record-effects.ts';
import { stateRows } from './state-rows.ts';

const DISPUTES = stateRows<DisputeState, 'gateway_disputes'>('gateway_disputes', {
  type: 'type',
  status: 'status',
  statusAtMs: 'statusAt',
  cfPaymentId: 'cfPaymentId',
  orderId: 'orderId',
  amountMinor: 'amountMinor',
  currency: 'currency',
  reasonCode: 'reasonCode',
  reason: 'reason',
  respondByMs: 'respondBy',
});

/**
 * Applies a dispute. If the payment was made to the platform, each stage from CHARGEBACK on claws
 * back what the payer's referrer earned, until the merchant wins.
 */
export async function applyDispute(scope: ApplyScope, fact: DisputeFact): Promise<Applied> {
  const { disputeId, type, status, cfPaymentId, orderId } = fact;
  const owner = await ownerOf(scope, await findParent(scope, { cfPaymentId, orderId }));
  // The owner comes from the disputed payment, which may not have arrived yet.
  if (owner === undefined)
    return { kind: 'unknown', awaited: awaitedNames({ payment: cfPaymentId, order: orderId }) };
  const { workspaceId, payerOrganizationId } = owner;
  const { id, state: current } = await DISPUTES.lock(
    scope,
    { disputeId },
    { workspaceId, payerOrganizationId, type, status },
  );
  const next = await named(scope, nextDispute(current, fact));
  await DISPUTES.write(scope, id, next);
  if (payerOrganizationId !== null) {
    const isCharged = await charge(scope, disputeId, next);
    if (!isCharged) return { kind: 'unknown', awaited: awaitedNames({ order: next.orderId }) };
  }
  return recordEffects(scope, {
    fact,
    known: { objectId: disputeId },
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
