import { kysely } from '../../platform/database/kysely.ts';
import type { NoticeFact, SubscriptionFact } from '../facts/facts.ts';
import {
  isLateSubscription,
  nextSubscription,
  type SubscriptionState,
} from '../facts/subscription-state.ts';
import type { Applied, ApplyScope } from './apply-scope.ts';
import { awaitedNames, wakeAwaiting } from './awaited.ts';
import { ownerOf } from './find-parent.ts';
import { recordEffects } from './record-effects.ts';
import { stateRows } from './state-rows.ts';

const SUBSCRIPTIONS = stateRows<SubscriptionState, 'gateway_subscriptions'>(
  'gateway_subscriptions',
  {
    status: 'status',
    statusAtMs: 'statusAt',
    cfSubscriptionId: 'cfId',
    authorizationStatus: 'authorizationStatus',
    paymentMethod: 'paymentMethod',
    nextChargeAtMs: 'nextChargeAt',
  },
);

/** Applies a subscription fact. The latest status by the gateway's time wins, until a final one. */
export async function applySubscription(
  scope: ApplyScope,
  fact: SubscriptionFact,
): Promise<Applied> {
  const subscription = await lockSubscription(scope, fact);
  const owner = await ownerOf(scope, subscription);
  const { subscriptionId, cfSubscriptionId } = fact;
  if (owner === undefined)
    return {
      kind: 'unknown',
      awaited: awaitedNames({ subscription: subscriptionId, cfSubscription: cfSubscriptionId }),
    };
  const current = subscription && SUBSCRIPTIONS.stateOf(subscription);
  if (subscription !== undefined) {
    const next = nextSubscription(current, fact);
    await SUBSCRIPTIONS.write(scope, subscription.id, next);
    await wakeAwaiting(scope, {
      subscription: subscription.subscriptionId,
      cfSubscription: next.cfSubscriptionId,
    });
  }
  return recordEffects(scope, {
    fact,
    known: { objectId: subscription?.subscriptionId ?? subscriptionId ?? cfSubscriptionId! },
    owner,
    isLate: isLateSubscription(current, fact),
  });
}

/** Applies a notice, for example of an upcoming debit or an expiring card. */
export async function applySubscriptionNotice(
  scope: ApplyScope,
  fact: NoticeFact,
): Promise<Applied> {
  const { objectId } = fact;
  const subscription = await lockSubscription(scope, { subscriptionId: objectId });
  const owner = await ownerOf(scope, subscription);
  if (owner === undefined)
    return { kind: 'unknown', awaited: awaitedNames({ subscription: objectId }) };
  return recordEffects(scope, { fact, known: { objectId }, owner, isLate: false });
}

/** Locks the row until the end of the transaction. The gateway's ID counts only without ours. */
function lockSubscription(
  { em, accountId }: ApplyScope,
  {
    subscriptionId,
    cfSubscriptionId = null,
  }: { subscriptionId?: string | undefined; cfSubscriptionId?: string | null | undefined },
) {
  const subscriptions = kysely(em).selectFrom('gateway_subscriptions').selectAll();
  return subscriptions
    .where('accountId', '=', accountId)
    .where(
      subscriptionId === undefined ? 'cfId' : 'subscriptionId',
      '=',
      subscriptionId ?? cfSubscriptionId,
    )
    .forUpdate()
    .executeTakeFirst();
}
