// The paid and refunded amounts of an order or link. They are always recomputed as sums of the
// payments and refunds, never incremented, so nothing counts twice.

import { kysely, rowsOf, sql } from '../../platform/database/kysely.ts';
import { nextLink } from '../facts/link-state.ts';
import { nextOrder } from '../facts/order-state.ts';
import { LINKS, lockLink } from './apply-link.ts';
import { lockOrder, ORDERS } from './apply-order.ts';
import type { ApplyScope } from './apply-scope.ts';
import type { Parent } from './find-parent.ts';

type ParentIds = Pick<Parent, 'orderId' | 'linkId'>;

/** Must be held while a payment or refund of the order or link changes. */
export async function lockParent(scope: ApplyScope, { orderId, linkId }: ParentIds): Promise<void> {
  if (orderId !== null) await lockOrder(scope, orderId);
  if (linkId !== null) await lockLink(scope, { linkId });
}

/**
 * Called after a payment, because the gateway sends no events for orders, and those for links may
 * arrive much later.
 */
export async function addUpParent(
  scope: ApplyScope,
  { orderId, linkId }: ParentIds,
  atMs: number | undefined,
): Promise<void> {
  if (orderId !== null) {
    const order = await lockOrder(scope, orderId);
    // Orders that the gateway creates for a link have no row of ours.
    if (order !== undefined) {
      const amountPaidMinor = await sumOfPayments(scope, 'orderId', orderId);
      const fact = { kind: 'order', orderId, status: 'PAID', atMs } as const;
      const next = nextOrder(ORDERS.stateOf(order), fact);
      await ORDERS.write(scope, order.id, next, { amountPaidMinor });
    }
  }
  if (linkId !== null) {
    const link = await lockLink(scope, { linkId });
    if (link === undefined) return;
    const amountPaidMinor = await sumOfPayments(scope, 'linkId', linkId);
    const status = amountPaidMinor < link.amountMinor ? 'PARTIALLY_PAID' : 'PAID';
    const fact = { kind: 'link', linkId, status, amountPaidMinor, atMs } as const;
    await LINKS.write(scope, link.id, nextLink(LINKS.stateOf(link), fact));
  }
}

/** Called after a refund. */
export async function addUpRefunds(
  { em, accountId }: ApplyScope,
  { orderId, linkId }: ParentIds,
): Promise<void> {
  if (orderId !== null)
    await rowsOf(
      em,
      sql`UPDATE gateway_orders SET refunded_minor = (
            SELECT coalesce(sum(amount_minor), 0) FROM gateway_refunds refund
            WHERE refund.account_id = gateway_orders.account_id AND status = 'SUCCESS'
              AND refund.order_id = gateway_orders.order_id)
          WHERE account_id = ${accountId} AND order_id = ${orderId}`,
    );
  if (linkId !== null)
    await rowsOf(
      em,
      sql`UPDATE gateway_links SET refunded_minor = (
            SELECT coalesce(sum(refund.amount_minor), 0) FROM gateway_refunds refund
            WHERE refund.account_id = gateway_links.account_id AND refund.status = 'SUCCESS'
              AND (refund.order_id IN (
                     SELECT order_id FROM gateway_link_orders made
                     WHERE made.account_id = gateway_links.account_id
                       AND made.link_id = gateway_links.link_id)
                   OR refund.cf_payment_id IN (
                     SELECT cf_payment_id FROM gateway_payments payment
                     WHERE payment.account_id = gateway_links.account_id
                       AND payment.link_id = gateway_links.link_id)))
          WHERE account_id = ${accountId} AND link_id = ${linkId}`,
    );
}

async function sumOfPayments(
  { em, accountId }: ApplyScope,
  column: 'orderId' | 'linkId',
  id: string,
): Promise<bigint> {
  const { sum } = await kysely(em)
    .selectFrom('gateway_payments')
    .select(sql<bigint>`coalesce(sum(amount_minor), 0)::bigint`.as('sum'))
    .where('accountId', '=', accountId)
    .where(column, '=', id)
    .where('status', '=', 'SUCCESS')
    .executeTakeFirstOrThrow();
  return sum;
}
