import type { ApplyScope } from './apply-scope.ts';

/**
 * The gateway creates an order for each payment of a link, and later events name only that order.
 */
export async function rememberOrder(
  { em, accountId }: ApplyScope,
  orderId: string,
  linkId: string,
): Promise<void> {
  await em.execute(
    `INSERT INTO gateway_link_orders (account_id, order_id, link_id) VALUES (?, ?, ?)
     ON CONFLICT (account_id, order_id) DO NOTHING`,
    [accountId, orderId, linkId],
  );
}
