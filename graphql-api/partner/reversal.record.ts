// Records refunds and disputes of a payment, in any order, and even before the payment itself. For
// the system role only.

import { rowsOf, sql } from '../platform/database/kysely.ts';
import { reject } from '../platform/rejected.ts';
import type { PostScope } from './ledger/post.ts';
import { countLivePayments } from './live-payments.ts';
import { requireAmount } from './require-amount.ts';
import { settleReversals } from './reversal.settle.ts';

type Refund = {
  /** The gateway's ID of the refund. */
  readonly id: string;
  readonly paymentId: string;
  /** The amount of this refund alone. */
  readonly amountMinor: bigint;
};

type Chargeback = {
  /** The gateway's ID of the dispute. */
  readonly id: string;
  readonly paymentId: string;
};

/** Claws back what the referrer earned with the refunded part. */
export async function recordRefund(scope: PostScope, refund: Refund): Promise<void> {
  const { id, paymentId, amountMinor } = refund;
  requireAmount(amountMinor, 'amountMinor');
  await lockPayment(scope, paymentId);
  const isNew = await insertReversal(scope, 'REFUND', refund, amountMinor);
  if (isNew) await settleReversals(scope, { paymentId, causeId: `refund:${id}` });
}

/** Claws back the whole earning of the payment while the dispute is open or lost. */
export async function recordChargeback(scope: PostScope, chargeback: Chargeback): Promise<void> {
  const { id, paymentId } = chargeback;
  await lockPayment(scope, paymentId);
  const isNew = await insertReversal(scope, 'CHARGEBACK', chargeback, null);
  if (isNew) await settleChargeback(scope, paymentId, `chargeback:${id}`);
}

/** Restores what only this dispute had clawed back, after the merchant won it. */
export async function chargebackWon(scope: PostScope, chargeback: Chargeback): Promise<void> {
  const { em, deps } = scope;
  const { id, paymentId } = chargeback;
  await lockPayment(scope, paymentId);
  await insertReversal(scope, 'CHARGEBACK', chargeback, null);
  const now = new Date(deps.clock.nowMs());
  const won = await rowsOf(
    em,
    sql`UPDATE payment_reversals SET won_at = ${now}
        WHERE kind = 'CHARGEBACK' AND id = ${id} AND won_at IS NULL RETURNING 1`,
  );
  if (won.length > 0) await settleChargeback(scope, paymentId, `chargeback-won:${id}`);
}

async function settleChargeback(
  scope: PostScope,
  paymentId: string,
  causeId: string,
): Promise<void> {
  await lockRelation(scope, paymentId);
  await countLivePayments(scope.em, paymentId);
  await settleReversals(scope, { paymentId, causeId });
}

/** Also locks a payment that is not recorded yet, by inserting its row. */
async function lockPayment({ em, deps }: PostScope, paymentId: string): Promise<void> {
  const now = new Date(deps.clock.nowMs());
  await rowsOf(
    em,
    sql`INSERT INTO payment_facts (id, created_at) VALUES (${paymentId}, ${now})
        ON CONFLICT (id) DO UPDATE SET id = excluded.id`,
  );
}

/** Serializes this with other payments of the same payer. */
async function lockRelation({ em }: PostScope, paymentId: string): Promise<void> {
  await rowsOf(
    em,
    sql`SELECT FROM referee_relations
        WHERE referee_organization_id = (
          SELECT organization_id FROM payment_facts WHERE id = ${paymentId})
        FOR UPDATE`,
  );
}

/** Returns whether the reversal is new. */
async function insertReversal(
  { em, deps }: PostScope,
  kind: 'REFUND' | 'CHARGEBACK',
  { id, paymentId }: Chargeback,
  amountMinor: bigint | null,
): Promise<boolean> {
  const now = new Date(deps.clock.nowMs());
  const inserted = await rowsOf(
    em,
    sql`INSERT INTO payment_reversals (kind, id, payment_id, amount_minor, created_at)
        VALUES (${kind}, ${id}, ${paymentId}, ${amountMinor}, ${now})
        ON CONFLICT (kind, id) DO NOTHING RETURNING 1`,
  );
  if (inserted.length > 0) return true;
  const same = await rowsOf(
    em,
    sql`SELECT FROM payment_reversals
        WHERE kind = ${kind} AND id = ${id} AND payment_id = ${paymentId}
          AND amount_minor IS NOT DISTINCT FROM ${amountMinor}::bigint`,
  );
  if (same.length === 0) reject('PAYMENT_MISMATCH');
  return false;
}
