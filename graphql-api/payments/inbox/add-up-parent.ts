// The paid and refunded amounts of an order or link. They are always recomputed as sums of the
// payments and refunds, never incremented, so nothing counts twice.

import { nextLink } from '../facts/link-state.ts';
import { nextOrder } from '../facts/order-state.ts';
import type { ApplyScope } from './apply-scope.ts';
import type { Parent } from './find-parent.ts';
import { readLinkRow, writeLink } from './link-row.ts';
import { readOrderRow, writeOrder } from './order-row.ts';

type ParentIds = Pick<Parent, 'orderId' | 'linkId'>;

/** Must be held while a payment or refund of the order or link changes. */
export async function lockParent(scope: ApplyScope, { orderId, linkId }: ParentIds): Promise<void> {
  if (orderId !== null) await readOrderRow(scope, orderId);
  if (linkId !== null) await readLinkRow(scope, { linkId });
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
    const order = await readOrderRow(scope, orderId);
    // Orders that the gateway creates for a link have no row of ours.
    if (order !== undefined) {
      const paidMinor = await sumOfPayments(scope, 'order_id', orderId);
      const next = nextOrder(order.state, { kind: 'order', orderId, status: 'PAID', atMs });
      await writeOrder(scope, order.id, next, paidMinor);
    }
  }
  if (linkId !== null) {
    const link = await readLinkRow(scope, { linkId });
    if (link === undefined) return;
    const amountPaidMinor = await sumOfPayments(scope, 'link_id', linkId);
    const status = amountPaidMinor < link.amountMinor ? 'PARTIALLY_PAID' : 'PAID';
    const next = nextLink(link.state, { kind: 'link', linkId, status, amountPaidMinor, atMs });
    await writeLink(scope, link.id, next);
  }
}

/** Called after a refund. */
export async function addUpRefunds(
  { em, accountId }: ApplyScope,
  { orderId, linkId }: ParentIds,
): Promise<void> {
  if (orderId !== null)
    await em.execute(
      `UPDATE gateway_orders SET refunded_minor = (
         SELECT coalesce(sum(amount_minor), 0) FROM gateway_refunds refund
         WHERE refund.account_id = gateway_orders.account_id AND status = 'SUCCESS'
           AND refund.order_id = gateway_orders.order_id)
       WHERE account_id = ? AND order_id = ?`,
      [accountId, orderId],
    );
  if (linkId !== null)
    await em.execute(
      `UPDATE gateway_links SET refunded_minor = (
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
       WHERE account_id = ? AND link_id = ?`,
      [accountId, linkId],
    );
}

async function sumOfPayments(
  { em, accountId }: ApplyScope,
  column: 'order_id' | 'link_id',
  id: string,
): Promise<bigint> {
  const [row] = await em.execute<{ sum: string }[]>(
    `SELECT coalesce(sum(amount_minor), 0)::text AS sum FROM gateway_payments
     WHERE account_id = ? AND ${column} = ? AND status = 'SUCCESS'`,
    [accountId, id],
  );
  return BigInt(row!.sum);
}
