import type { OrderFact } from '../facts/facts.ts';
import { isLateOrder, nextOrder } from '../facts/order-state.ts';
import type { Applied, ApplyScope } from './apply-scope.ts';
import { awaitedNames, wakeAwaiting } from './awaited.ts';
import { readOrderRow, writeOrder } from './order-row.ts';
import { ownerOf } from './owner.ts';
import { recordEffects } from './record-effects.ts';

export async function applyOrder(scope: ApplyScope, fact: OrderFact): Promise<Applied> {
  const { orderId } = fact;
  const order = await readOrderRow(scope, orderId);
  const owner = await ownerOf(scope, order);
  if (owner === undefined) return { kind: 'unknown', awaited: awaitedNames({ order: orderId }) };
  if (order !== undefined) {
    await writeOrder(scope, order.id, nextOrder(order.state, fact));
    await wakeAwaiting(scope, { order: orderId });
  }
  return recordEffects(scope, {
    fact,
    known: { objectId: orderId },
    owner,
    isLate: isLateOrder(order?.state, fact),
  });
}
