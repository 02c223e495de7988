import { recordPayment } from '../../partner/payment.record.ts';
import { sql } from '../../platform/database/kysely.ts';
import type { PaymentFact } from '../facts/facts.ts';
import { isLatePayment, nextPayment, type PaymentState } from '../facts/payment-state.ts';
import { addUpParent, lockParent } from './add-up-parent.ts';
import type { Applied, ApplyScope } from './apply-scope.ts';
import { awaitedNames, wakeAwaiting } from './awaited.ts';
import { findParent, ownerOf, type Parent, rememberOrder } from './find-parent.ts';
import { recordEffects } from './record-effects.ts';
import { stateRows } from './state-rows.ts';

const PAYMENTS = stateRows<PaymentState, 'gateway_payments'>('gateway_payments', {
  status: 'status',
  statusAtMs: 'statusAt',
  paymentKind: 'kind',
  retryAttempts: 'retryAttempts',
  amountMinor: 'amountMinor',
  currency: 'currency',
  method: 'method',
  failure: 'failure',
  paidAtMs: 'paidAt',
  orderId: 'orderId',
});

/**
 * Applies a payment and updates its order or link. A payment to the platform earns the payer's
 * referrer a reward in the same transaction; the wallet's own keys ensure that it is earned once.
 */
export async function applyPayment(scope: ApplyScope, fact: PaymentFact): Promise<Applied> {
  const parent = await findParent(scope, fact);
  const owner = await ownerOf(scope, parent);
  if (owner === undefined) return { kind: 'unknown', awaited: awaitedOf(fact) };
  const of: Parent = { ...(parent ?? NO_PARENT), ...owner };
  // Lock the parent first, in the same order as refunds do.
  await lockParent(scope, of);
  const { id, state: current } = await lockPayment(scope, fact, of);
  const next = nextPayment(current, fact);
  await PAYMENTS.write(scope, id, next);
  const outcome = await earn(scope, { ...fact, paymentKind: next.paymentKind }, owner);
  if (next.status === 'SUCCESS') await addUpParent(scope, of, fact.atMs);
  const { cfPaymentId, orderId } = fact;
  if (of.linkId !== null && orderId !== undefined) await rememberOrder(scope, orderId, of.linkId);
  await wakeAwaiting(scope, { payment: cfPaymentId, order: orderId });
  return recordEffects(scope, {
    fact,
    known: { objectId: cfPaymentId, linkId: of.linkId ?? undefined },
    owner,
    isLate: isLatePayment(current, fact),
    outcome,
  });
}

const NO_PARENT = { orderId: null, linkId: null, subscriptionId: null };

function lockPayment(scope: ApplyScope, fact: PaymentFact, parent: Parent) {
  const { workspaceId, payerOrganizationId, linkId, subscriptionId } = parent;
  const { cfPaymentId, paymentKind: kind, status, amountMinor, currency, orderId = null } = fact;
  const of = { workspaceId, payerOrganizationId, linkId, subscriptionId };
  return PAYMENTS.lock(
    scope,
    { cfPaymentId },
    { kind, status, amountMinor, currency, orderId, ...of },
    {
      workspaceId: sql`coalesce(gateway_payments.workspace_id, excluded.workspace_id)`,
      payerOrganizationId: sql`coalesce(gateway_payments.payer_organization_id, excluded.payer_organization_id)`,
      linkId: sql`coalesce(gateway_payments.link_id, excluded.link_id)`,
      subscriptionId: sql`coalesce(gateway_payments.subscription_id, excluded.subscription_id)`,
    },
  );
}

function awaitedOf(fact: PaymentFact): readonly string[] {
  const { orderId, cfLinkId, subscriptionId, cfSubscriptionId } = fact;
  return awaitedNames({
    order: orderId,
    cfLink: cfLinkId,
    subscription: subscriptionId,
    cfSubscription: cfSubscriptionId,
  });
}

/** The outcome of the referrer's reward, for a successful payment to the platform. */
async function earn(
  scope: ApplyScope,
  fact: PaymentFact,
  { payerOrganizationId }: { readonly payerOrganizationId: string | null },
): Promise<string | undefined> {
  if (payerOrganizationId === null || fact.status !== 'SUCCESS') return undefined;
  // The debit that verifies a mandate is not income.
  if (fact.paymentKind === 'MANDATE_AUTHORIZATION' || fact.amountMinor === 0n) return undefined;
  const { outcome } = await recordPayment(scope, {
    id: fact.cfPaymentId,
    organizationId: payerOrganizationId,
    amountMinor: fact.amountMinor,
    currency: fact.currency,
    clearedAt: new Date(fact.paidAtMs ?? fact.atMs ?? scope.deps.clock.nowMs()),
  });
  return outcome;
}
