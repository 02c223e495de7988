import type { OrderState } from '../facts/order-state.ts';
import { type ApplyScope, isoOf, msOf, readMs } from './apply-scope.ts';
import type { Owner } from './owner.ts';

export type LockedOrder = Owner & { readonly id: string; readonly state: OrderState };

type OrderRow = Owner & {
  readonly id: string;
  readonly status: string;
  readonly statusAtMs: string | null;
  readonly cfOrderId: string | null;
};

/** Locks the row until the end of the transaction. */
export async function readOrderRow(
  { em, accountId }: ApplyScope,
  orderId: string,
): Promise<LockedOrder | undefined> {
  const [row] = await em.execute<OrderRow[]>(
    `SELECT id, workspace_id AS "workspaceId", payer_organization_id AS "payerOrganizationId",
       status, ${msOf('status_at')} AS "statusAtMs", cf_id AS "cfOrderId"
     FROM gateway_orders WHERE account_id = ? AND order_id = ? FOR UPDATE`,
    [accountId, orderId],
  );
  if (row === undefined) return undefined;
  const { status, cfOrderId } = row;
  const statusAtMs = readMs(row.statusAtMs);
  return { ...row, state: { status, statusAtMs, cfOrderId: cfOrderId ?? undefined } };
}

export async function writeOrder(
  { em, deps }: ApplyScope,
  id: string,
  { status, statusAtMs, cfOrderId }: OrderState,
  paidMinor?: bigint,
): Promise<void> {
  await em.execute(
    `UPDATE gateway_orders SET status = ?, status_at = ?, cf_id = ?,
       amount_paid_minor = coalesce(?::bigint, amount_paid_minor), updated_at = ?
     WHERE id = ?`,
    [
      status,
      isoOf(statusAtMs),
      cfOrderId ?? null,
      paidMinor === undefined ? null : String(paidMinor),
      new Date(deps.clock.nowMs()).toISOString(),
      id,
    ],
  );
}
