import { kysely, type RowOf } from '../../platform/database/kysely.ts';
import type { OrderFact } from '../facts/facts.ts';
import { isLateOrder, nextOrder, type OrderState } from '../facts/order-state.ts';
import type { Applied, ApplyScope } from './apply-scope.ts';
import { awaitedNames, wakeAwaiting } from './awaited.ts';
import { ownerOf } from './find-parent.ts';
import { recordEffects } from './record-effects.ts';
import { stateRows } from './state-rows.ts';

export const ORDERS = stateRows<OrderState, 'gateway_orders'>('gateway_orders', {
  status: 'status',
  statusAtMs: 'statusAt',
  cfOrderId: 'cfId',
});

export async function applyOrder(scope: ApplyScope, fact: OrderFact): Promise<Applied> {
  const { orderId } = fact;
  const order = await lockOrder(scope, orderId);
  const owner = await ownerOf(scope, order);
  if (owner === undefined) return { kind: 'unknown', awaited: awaitedNames({ order: orderId }) };
  const current = order && ORDERS.stateOf(order);
  if (order !== undefined) {
    await ORDERS.write(scope, order.id, nextOrder(current, fact));
    await wakeAwaiting(scope, { order: orderId });
  }
  const isLate = isLateOrder(current, fact);
  return recordEffects(scope, { fact, known: { objectId: orderId }, owner, isLate });
}

/** Locks the row until the end of the transaction. */
export async function lockOrder(
  { em, accountId }: ApplyScope,
  orderId: string,
): Promise<RowOf<'gateway_orders'> | undefined> {
  const orders = kysely(em).selectFrom('gateway_orders').selectAll();
  return orders
    .where('accountId', '=', accountId)
    .where('orderId', '=', orderId)
    .forUpdate()
    .executeTakeFirst();
}
