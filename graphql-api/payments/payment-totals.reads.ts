import type { Context } from '../platform/context.ts';
import { rowsOf, sql } from '../platform/database/kysely.ts';
import type { Money } from '../platform/money.ts';
import { workspaceOf } from '../platform/permit.ts';
import { reject } from '../platform/rejected.ts';
import { type GatewayPaymentFilter, paymentConditionSql } from './payment.filter.ts';

/** The sums of one currency. */
export type GatewayPaymentTotal = Pick<Money, 'currencyCode'> & {
  readonly paymentCount: number;
  readonly paidMinor: bigint;
  readonly refundedMinor: bigint;
};

/** Read in about half a second. A workspace with more payments chooses a shorter range. */
const PAYMENTS_MAX = 100_000;

/**
 * The sums of the successful payments that match, and of their refunds whenever these were made.
 * The debits that verify mandates are not income.
 */
export async function gatewayPaymentTotals(
  context: Context,
  filter: GatewayPaymentFilter,
): Promise<readonly GatewayPaymentTotal[]> {
  const workspaceId = workspaceOf(context.viewer);
  const condition = await paymentConditionSql(context, filter);
  const totals = await rowsOf(
    await context.read(),
    sql<GatewayPaymentTotal>`
      WITH paid AS (
        SELECT account_id, cf_payment_id, order_id, amount_minor, currency FROM gateway_payments
        WHERE ${condition}
          AND status = 'SUCCESS' AND kind <> 'MANDATE_AUTHORIZATION'
        LIMIT ${PAYMENTS_MAX + 1}
      ), refunded AS (
        SELECT refund.id, refund.amount_minor, refund.currency
        FROM paid JOIN gateway_refunds refund USING (account_id, cf_payment_id)
        WHERE refund.workspace_id = ${workspaceId} AND refund.status = 'SUCCESS'
        -- Each refund once, also if several payments of its order succeeded.
        UNION
        SELECT refund.id, refund.amount_minor, refund.currency
        FROM paid JOIN gateway_refunds refund USING (account_id, order_id)
        WHERE refund.workspace_id = ${workspaceId} AND refund.status = 'SUCCESS'
          AND refund.cf_payment_id IS NULL
      ), sums AS (
        SELECT currency, count(*) AS payments, sum(amount_minor) AS paid, 0 AS refunded
        FROM paid GROUP BY currency
        UNION ALL
        SELECT currency, 0, 0, sum(amount_minor) FROM refunded GROUP BY currency
      )
      SELECT currency AS currency_code, sum(payments)::int AS payment_count,
        sum(paid)::bigint AS paid_minor, sum(refunded)::bigint AS refunded_minor
      FROM sums GROUP BY currency ORDER BY payment_count DESC, currency`,
  );
  const count = totals.reduce((sum, { paymentCount }) => sum + paymentCount, 0);
  if (count > PAYMENTS_MAX)
    reject('REPORT_TOO_LARGE', {
      message: `More than ${PAYMENTS_MAX} successful payments match. Choose a shorter range or add filters.`,
    });
  return totals;
}
