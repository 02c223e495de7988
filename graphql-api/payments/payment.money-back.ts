import type { Context } from '../platform/context.ts';
import { rowsOf, sql } from '../platform/database/kysely.ts';
import { workspaceOf } from '../platform/permit.ts';
import { UNDONE_REFUND_STATUSES } from './facts/refund-state.ts';

/** What went back to the payer of a payment, or may still go back. */
type MoneyBack = {
  /** Of the payment. */
  readonly id: string;
  readonly refundedMinor: bigint;
  readonly refundableMinor: bigint;
  readonly isDisputed: boolean;
};

/** A refund that may still succeed lowers what is refundable, as in `gatewayRefundCreate`. */
export async function moneyBackOfPayments(
  context: Context,
  ids: readonly string[],
): Promise<readonly MoneyBack[]> {
  const workspaceId = workspaceOf(context.viewer);
  return rowsOf(
    await context.read(),
    sql<MoneyBack>`
      WITH payments AS (
        SELECT id, account_id, cf_payment_id, order_id, subscription_id, status, amount_minor
        FROM gateway_payments WHERE id = ANY (${[...ids]}::uuid[]) AND workspace_id = ${workspaceId}
      ), refunds AS (
        SELECT payments.id, refund.amount_minor, refund.status
        FROM payments JOIN gateway_refunds refund USING (account_id, cf_payment_id)
        WHERE refund.workspace_id = ${workspaceId}
          AND refund.status <> ALL (${UNDONE_REFUND_STATUSES}::text[])
        UNION ALL
        SELECT payments.id, refund.amount_minor, refund.status
        FROM payments JOIN gateway_refunds refund USING (account_id, order_id)
        WHERE refund.workspace_id = ${workspaceId} AND refund.cf_payment_id IS NULL
          AND payments.status = 'SUCCESS'
          AND refund.status <> ALL (${UNDONE_REFUND_STATUSES}::text[])
      ), sums AS (
        SELECT id, sum(amount_minor)::bigint AS taken,
          sum(amount_minor) FILTER (WHERE status = 'SUCCESS')::bigint AS refunded
        FROM refunds GROUP BY id
      )
      SELECT payments.id, least(coalesce(refunded, 0), amount_minor) AS refunded_minor,
        CASE WHEN status = 'SUCCESS' AND coalesce(order_id, subscription_id) IS NOT NULL
          THEN greatest(amount_minor - coalesce(taken, 0), 0) ELSE 0 END AS refundable_minor,
        EXISTS (
          SELECT FROM gateway_disputes dispute
          WHERE dispute.account_id = payments.account_id
            AND dispute.cf_payment_id = payments.cf_payment_id
            AND dispute.workspace_id = ${workspaceId}
            AND dispute.status NOT LIKE '%MERCHANT_WON'
        ) AS is_disputed
      FROM payments LEFT JOIN sums USING (id)`,
  );
}
