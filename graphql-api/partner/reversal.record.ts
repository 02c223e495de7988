// Records refunds and disputes of a payment, in any order, and even before the payment itself. For
// the system role only.

import { reject } from '../platform/rejected.ts';
import type { PostScope } from './ledger/post.ts';
import { countLivePayments } from './live-payments.ts';
import { requireAmount } from './require-amount.ts';
import { settleReversals } from './reversal.settle.ts';

export type Refund = {
  /** The gateway's ID of the refund. */
  readonly id: string;
  readonly paymentId: string;
  /** The amount of this refund alone. */
  readonly amountMinor: bigint;
};

export type Chargeback = {
  /** The gateway's ID of the dispute. */
  readonly id: string;
  readonly paymentId: string;
};

/** Claws back what the referrer earned with the refunded part. */
export async function recordRefund(scope: PostScope, refund: Refund): Promise<void> {
  requireAmount(refund.amountMinor, 'amountMinor');
  await lockPayment(scope, refund.paymentId);
  const isNew = await insertReversal(scope, 'REFUND', refund, refund.amountMinor);
  if (!isNew) return;
  await settleReversals(scope, { paymentId: refund.paymentId, causeId: `refund:${refund.id}` });
}

/** Claws back the whole earning of the payment while the dispute is open or lost. */
export async function recordChargeback(scope: PostScope, chargeback: Chargeback): Promise<void> {
  await lockPayment(scope, chargeback.paymentId);
  const isNew = await insertReversal(scope, 'CHARGEBACK', chargeback, undefined);
  if (!isNew) return;
  await lockRelation(scope, chargeback.paymentId);
  await countLivePayments(scope.em, chargeback.paymentId);
  await settleReversals(scope, {
    paymentId: chargeback.paymentId,
    causeId: `chargeback:${chargeback.id}`,
  });
}

/** Restores what only this dispute had clawed back, after the merchant won it. */
export async function chargebackWon(scope: PostScope, chargeback: Chargeback): Promise<void> {
  const { em, deps } = scope;
  await lockPayment(scope, chargeback.paymentId);
  await insertReversal(scope, 'CHARGEBACK', chargeback, undefined);
  const won = await em.execute<unknown[]>(
    `UPDATE payment_reversals SET won_at = ?
     WHERE kind = 'CHARGEBACK' AND id = ? AND won_at IS NULL RETURNING 1`,
    [new Date(deps.clock.nowMs()).toISOString(), chargeback.id],
  );
  if (won.length === 0) return;
  await lockRelation(scope, chargeback.paymentId);
  await countLivePayments(em, chargeback.paymentId);
  await settleReversals(scope, {
    paymentId: chargeback.paymentId,
    causeId: `chargeback-won:${chargeback.id}`,
  });
}

/** Also locks a payment that is not recorded yet, by inserting its row. */
async function lockPayment({ em, deps }: PostScope, paymentId: string): Promise<void> {
  await em.execute(
    `INSERT INTO payment_facts (id, created_at) VALUES (?, ?)
     ON CONFLICT (id) DO UPDATE SET id = excluded.id`,
    [paymentId, new Date(deps.clock.nowMs()).toISOString()],
  );
}

/** Serializes this with other payments of the same payer. */
async function lockRelation({ em }: PostScope, paymentId: string): Promise<void> {
  await em.execute(
    `SELECT FROM referee_relations
     WHERE referee_organization_id = (SELECT organization_id FROM payment_facts WHERE id = ?)
     FOR UPDATE`,
    [paymentId],
  );
}

/** Returns whether the reversal is new. */
async function insertReversal(
  { em, deps }: PostScope,
  kind: 'REFUND' | 'CHARGEBACK',
  { id, paymentId }: Chargeback,
  amountMinor: bigint | undefined,
): Promise<boolean> {
  const amount = amountMinor === undefined ? null : String(amountMinor);
  const inserted = await em.execute<unknown[]>(
    `INSERT INTO payment_reversals (kind, id, payment_id, amount_minor, created_at)
     VALUES (?, ?, ?, ?::bigint, ?) ON CONFLICT (kind, id) DO NOTHING RETURNING 1`,
    [kind, id, paymentId, amount, new Date(deps.clock.nowMs()).toISOString()],
  );
  if (inserted.length > 0) return true;
  const same = await em.execute<unknown[]>(
    `SELECT 1 FROM payment_reversals
     WHERE kind = ? AND id = ? AND payment_id = ? AND amount_minor IS NOT DISTINCT FROM ?::bigint`,
    [kind, id, paymentId, amount],
  );
  if (same.length === 0) reject('PAYMENT_MISMATCH');
  return false;
}
