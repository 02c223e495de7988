import type { NoticeFact, SubscriptionFact } from '../facts/facts.ts';
import {
  isLateSubscription,
  nextSubscription,
  type SubscriptionState,
} from '../facts/subscription-state.ts';
import { type Applied, type ApplyScope, isoOf, msOf, readMs } from './apply-scope.ts';
import { awaitedNames, wakeAwaiting } from './awaited.ts';
import { type Owner, ownerOf } from './owner.ts';
import { recordEffects } from './record-effects.ts';

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
  if (subscription !== undefined) {
    const next = nextSubscription(subscription.state, fact);
    await writeSubscription(scope, subscription.id, next);
    await wakeAwaiting(scope, {
      subscription: subscription.subscriptionId,
      cfSubscription: next.cfSubscriptionId,
    });
  }
  return recordEffects(scope, {
    fact,
    known: { objectId: subscription?.subscriptionId ?? subscriptionId ?? cfSubscriptionId! },
    owner,
    isLate: isLateSubscription(subscription?.state, fact),
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

type SubscriptionRow = Owner & {
  readonly id: string;
  readonly subscriptionId: string;
  readonly status: string;
  readonly statusAtMs: string | null;
  readonly cfId: string | null;
  readonly authorizationStatus: string | null;
  readonly paymentMethod: string | null;
  readonly nextChargeAtMs: string | null;
};

type Named = Pick<SubscriptionFact, 'subscriptionId' | 'cfSubscriptionId'>;

async function lockSubscription(
  { em, accountId }: ApplyScope,
  { subscriptionId, cfSubscriptionId }: Named,
): Promise<(SubscriptionRow & { readonly state: SubscriptionState }) | undefined> {
  const [row] = await em.execute<SubscriptionRow[]>(
    `SELECT id, workspace_id AS "workspaceId", payer_organization_id AS "payerOrganizationId",
       subscription_id AS "subscriptionId", status, ${msOf('status_at')} AS "statusAtMs",
       cf_id AS "cfId", authorization_status AS "authorizationStatus",
       payment_method AS "paymentMethod", ${msOf('next_charge_at')} AS "nextChargeAtMs"
     FROM gateway_subscriptions
     WHERE account_id = ? AND (subscription_id = ? OR (?::text IS NULL AND cf_id = ?))
     FOR UPDATE`,
    [accountId, subscriptionId ?? null, subscriptionId ?? null, cfSubscriptionId ?? null],
  );
  if (row === undefined) return undefined;
  const state = {
    status: row.status,
    statusAtMs: readMs(row.statusAtMs),
    cfSubscriptionId: row.cfId ?? undefined,
    authorizationStatus: row.authorizationStatus ?? undefined,
    paymentMethod: row.paymentMethod ?? undefined,
    nextChargeAtMs: readMs(row.nextChargeAtMs),
  };
  return { ...row, state };
}

async function writeSubscription(
  { em, deps }: ApplyScope,
  id: string,
  state: SubscriptionState,
): Promise<void> {
  await em.execute(
    `UPDATE gateway_subscriptions SET status = ?, status_at = ?, cf_id = ?,
       authorization_status = ?, payment_method = ?, next_charge_at = ?, updated_at = ?
     WHERE id = ?`,
    [
      state.status,
      isoOf(state.statusAtMs),
      state.cfSubscriptionId ?? null,
      state.authorizationStatus ?? null,
      state.paymentMethod ?? null,
      isoOf(state.nextChargeAtMs),
      new Date(deps.clock.nowMs()).toISOString(),
      id,
    ],
  );
}
