import type { ApplyScope } from './apply-scope.ts';

/**
 * For events that name only the order: an order has one successful payment. Undefined until it is
 * known.
 */
export async function onlyPaymentOf(
  { em, accountId }: ApplyScope,
  orderId: string | undefined,
): Promise<string | undefined> {
  if (orderId === undefined) return undefined;
  const [row] = await em.execute<{ id: string }[]>(
    `SELECT cf_payment_id AS id FROM gateway_payments
     WHERE account_id = ? AND order_id = ? AND status = 'SUCCESS' ORDER BY created_at LIMIT 1`,
    [accountId, orderId],
  );
  return row?.id;
}
