import type { PaymentFact, PaymentKind } from '../facts/facts.ts';
import type { PaymentState } from '../facts/payment-state.ts';
import { type ApplyScope, isoOf, msOf, readMs } from './apply-scope.ts';
import type { Parent } from './find-parent.ts';

type PaymentRow = {
  readonly id: string;
  readonly isNew: boolean;
  readonly status: string;
  readonly statusAtMs: string | null;
  readonly kind: PaymentKind;
  readonly retryAttempts: number;
  readonly amountMinor: string;
  readonly currency: string;
  readonly method: string | null;
  readonly failure: string | null;
  readonly paidAtMs: string | null;
  readonly orderId: string | null;
};

export type LockedPayment = {
  readonly row: { readonly id: string };
  /** Undefined for a new payment. */
  readonly state: PaymentState | undefined;
};

/** Locks the row of the payment until the end of the transaction. Inserts it if there is none. */
export async function lockPayment(
  { em, deps, accountId }: ApplyScope,
  fact: PaymentFact,
  parent: Parent,
): Promise<LockedPayment> {
  const now = new Date(deps.clock.nowMs()).toISOString();
  const [row] = await em.execute<PaymentRow[]>(
    `INSERT INTO gateway_payments AS payment (id, account_id, workspace_id, payer_organization_id,
       cf_payment_id, kind, status, amount_minor, currency, order_id, link_id, subscription_id,
       created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?::bigint, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (account_id, cf_payment_id) DO UPDATE SET
       workspace_id = coalesce(payment.workspace_id, excluded.workspace_id),
       payer_organization_id = coalesce(payment.payer_organization_id, excluded.payer_organization_id),
       link_id = coalesce(payment.link_id, excluded.link_id),
       subscription_id = coalesce(payment.subscription_id, excluded.subscription_id)
     RETURNING id, xmax = 0 AS "isNew", status, ${msOf('status_at')} AS "statusAtMs", kind,
       retry_attempts AS "retryAttempts", amount_minor AS "amountMinor", currency, method, failure,
       ${msOf('paid_at')} AS "paidAtMs", order_id AS "orderId"`,
    [
      deps.newId(),
      accountId,
      parent.workspaceId,
      parent.payerOrganizationId,
      fact.cfPaymentId,
      fact.paymentKind,
      fact.status,
      String(fact.amountMinor),
      fact.currency,
      fact.orderId ?? null,
      parent.linkId,
      parent.subscriptionId,
      now,
      now,
    ],
  );
  return { row: row!, state: row!.isNew ? undefined : stateOf(row!) };
}

export async function writePayment(
  { em, deps }: ApplyScope,
  { id }: { readonly id: string },
  state: PaymentState,
): Promise<void> {
  await em.execute(
    `UPDATE gateway_payments SET kind = ?, status = ?, status_at = ?, retry_attempts = ?,
       amount_minor = ?::bigint, currency = ?, order_id = ?, method = ?, failure = ?, paid_at = ?,
       updated_at = ?
     WHERE id = ?`,
    [
      state.paymentKind,
      state.status,
      isoOf(state.statusAtMs),
      state.retryAttempts,
      String(state.amountMinor),
      state.currency,
      state.orderId ?? null,
      state.method ?? null,
      state.failure ?? null,
      isoOf(state.paidAtMs),
      new Date(deps.clock.nowMs()).toISOString(),
      id,
    ],
  );
}

function stateOf(row: PaymentRow): PaymentState {
  return {
    status: row.status,
    statusAtMs: readMs(row.statusAtMs),
    paymentKind: row.kind,
    retryAttempts: row.retryAttempts,
    amountMinor: BigInt(row.amountMinor),
    currency: row.currency,
    method: row.method ?? undefined,
    failure: row.failure ?? undefined,
    paidAtMs: readMs(row.paidAtMs),
    orderId: row.orderId ?? undefined,
  };
}
