import { ACTIVITY_CARDS_RAW } from '../../../schema/rows/activity-cards-raw.ts';
import { DELIVERIES_RAW } from '../../../schema/rows/deliveries-raw.ts';
import { derivedUuid } from '../../../schema/values/derived-uuid.ts';
import { kysely } from '../../platform/database/kysely.ts';
import { putRows } from '../../platform/warehouse/put-rows.ts';
import { emitEvent } from '../../webhooks/emit-event.ts';
import { describeFact } from '../facts/describe-fact.ts';
import { type Effect, effectsOf, type ObjectIds } from '../facts/effects-of-fact.ts';
import type { GatewayFact } from '../facts/facts.ts';
import type { Applied, ApplyScope } from './apply-scope.ts';
import type { Owner } from './find-parent.ts';

type AppliedFact = {
  readonly fact: GatewayFact;
  readonly known: ObjectIds;
  readonly owner: Owner;
  /**
   * Whether a later state was already known. Late effects are recorded but not sent to webhook
   * endpoints.
   */
  readonly isLate: boolean;
  /** The outcome of the referrer's reward, for a payment to the platform. */
  readonly outcome?: string | undefined;
};

const CHANNEL = 'payment';

/**
 * Records each effect once, for the activity feed, the reports and the webhook endpoints of its
 * workspace. Effects of the platform's own billing are not published.
 */
export async function recordEffects(scope: ApplyScope, applied: AppliedFact): Promise<Applied> {
  const { owner, fact, known } = applied;
  const effects = effectsOf(fact, known);
  for (const effect of effects) {
    const id = effectId(scope.accountId, effect);
    if (!(await insertEffect(scope, id, effect, applied)) || owner.workspaceId === null) continue;
    await publish(scope, { id, effect, applied, workspaceId: owner.workspaceId });
  }
  return {
    kind: 'applied',
    workspaceId: owner.workspaceId,
    effects: effects.map(({ name }) => name),
  };
}

/** Derived only from the effect and its object, so a repeat has the same ID. */
function effectId(accountId: string, { name, objectKind, objectId, occasion }: Effect): string {
  return derivedUuid('gateway effect', accountId, name, objectKind, objectId, occasion);
}

/** Returns whether the effect is new. */
async function insertEffect(
  { em, deps, accountId, eventId }: ApplyScope,
  id: string,
  { name, objectKind, objectId }: Effect,
  { owner, fact, isLate, outcome }: AppliedFact,
): Promise<boolean> {
  const now = deps.clock.nowMs();
  const inserted = await kysely(em)
    .insertInto('gateway_effects')
    .values({
      id,
      accountId,
      workspaceId: owner.workspaceId,
      eventId: eventId ?? null,
      name,
      objectKind,
      objectId,
      isLate,
      outcome: outcome ?? null,
      occurredAt: new Date(fact.atMs ?? now),
      createdAt: new Date(now),
    })
    .onConflict(conflict => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

async function publish(
  scope: ApplyScope,
  {
    id,
    effect,
    applied,
    workspaceId,
  }: { id: string; effect: Effect; applied: AppliedFact; workspaceId: string },
): Promise<void> {
  const { em, deps, accountId, customerId = '' } = scope;
  const { objectKind, objectId, delivery, name } = effect;
  const { linkId } = applied.known;
  const description = {
    ...(linkId !== undefined && { link_id: linkId }),
    ...describeFact(applied.fact),
  };
  const details = JSON.stringify(description);
  const deliveryId = derivedUuid(
    'gateway delivery',
    workspaceId,
    accountId,
    objectKind,
    objectId,
    delivery.part,
  );
  const about = {
    channel: CHANNEL,
    delivery_id: deliveryId,
    message_id: objectId,
    user_id: customerId,
  };
  const { status, rank } = delivery;
  await putRows(em, deps, {
    workspaceId,
    table: DELIVERIES_RAW.name,
    rows: [{ ...about, status, rank, event_type: name, metadata: details }],
  });
  await putRows(em, deps, {
    workspaceId,
    table: ACTIVITY_CARDS_RAW.name,
    rows: [{ ...about, card_id: id, kind: name, details }],
  });
  if (applied.isLate) return;
  await emitEvent(em, {
    id,
    workspaceId,
    type: name,
    facts: { ...description, delivery_id: deliveryId },
    occurredAt: new Date(applied.fact.atMs ?? deps.clock.nowMs()),
  });
}
