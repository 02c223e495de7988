import { kysely, rowsOf, sql } from '../platform/database/kysely.ts';
import { type PostScope, post } from './ledger/post.ts';
import type { PostingKind } from './ledger/posting.ts';
import { clawBack, restore } from './ledger/postings.ts';
import { type LockedWallet, lockWallet } from './ledger/wallet.ts';

type Settlement = {
  readonly paymentId: string;
  /** The refund, dispute or payment that triggers the settlement. Each cause is settled once. */
  readonly causeId: string;
  /** The wallet of the referrer, if it is already locked. */
  readonly wallet?: LockedWallet;
};

/**
 * Adjusts the clawed-back amount of a payment's earning to the target for all its refunds and
 * disputes, regardless of their order. The caller must hold the lock of the payment.
 */
export async function settleReversals(
  scope: PostScope,
  { paymentId, causeId, wallet: locked }: Settlement,
): Promise<void> {
  const { em } = scope;
  const wallet = locked ?? (await lockReferrersWallet(scope, paymentId));
  if (wallet === undefined) return;
  const earning = await readEarning(scope, paymentId);
  if (earning === undefined) return;

  const { id, clawedMinor } = earning;
  const targetMinor = clawedTarget(earning);
  if (targetMinor === clawedMinor) return;
  const isClawBack = targetMinor > clawedMinor;
  const reversed = {
    earningId: id,
    kind: earning.kind,
    isHeld: earning.isHeld,
    amountMinor: isClawBack ? targetMinor - clawedMinor : clawedMinor - targetMinor,
    causeId,
    reversesId: await lastTransactionId(
      scope,
      id,
      isClawBack ? ['EARN_CREDIT', 'EARN_COMMISSION'] : ['CLAW_BACK'],
    ),
  };
  await kysely(em)
    .updateTable('earnings')
    .set({ clawedMinor: targetMinor })
    .where('id', '=', id)
    .execute();
  await post(scope, wallet, (isClawBack ? clawBack : restore)(wallet.balances, reversed));
}

/**
 * The total amount to claw back from an earning, given all reversals of its payment. It is
 * cumulative, so partial refunds add up exactly and their order does not matter.
 */
function clawedTarget(earning: EarningRow): bigint {
  const { amountMinor, paymentMinor, refundedMinor, hasOpenChargeback } = earning;
  if (hasOpenChargeback || refundedMinor >= paymentMinor) return amountMinor;
  return (amountMinor * refundedMinor) / paymentMinor;
}

async function lockReferrersWallet({ em }: PostScope, paymentId: string) {
  const earning = await kysely(em)
    .selectFrom('earnings')
    .select('organizationId')
    .where('paymentId', '=', paymentId)
    .executeTakeFirst();
  return earning && lockWallet(em, earning.organizationId);
}

type EarningRow = {
  readonly id: string;
  readonly kind: 'CREDIT' | 'COMMISSION';
  readonly isHeld: boolean;
  readonly amountMinor: bigint;
  readonly clawedMinor: bigint;
  readonly paymentMinor: bigint;
  readonly refundedMinor: bigint;
  readonly hasOpenChargeback: boolean;
};

/**
 * Must be called after the wallet is locked, so that a concurrent release is either visible or
 * waits.
 */
async function readEarning({ em }: PostScope, paymentId: string): Promise<EarningRow | undefined> {
  const [earning] = await rowsOf(
    em,
    sql<EarningRow>`
      SELECT earning.id, earning.kind, earning.released_at IS NULL AS is_held,
             earning.amount_minor, earning.clawed_minor, fact.amount_minor AS payment_minor,
             coalesce(reversed.refunded_minor, 0)::bigint AS refunded_minor,
             coalesce(reversed.has_open_chargeback, false) AS has_open_chargeback
      FROM earnings earning
      JOIN payment_facts fact ON fact.id = earning.payment_id
      CROSS JOIN LATERAL (
        SELECT sum(reversal.amount_minor) AS refunded_minor,
               bool_or(kind = 'CHARGEBACK' AND won_at IS NULL) AS has_open_chargeback
        FROM payment_reversals reversal WHERE payment_id = fact.id) reversed
      WHERE earning.payment_id = ${paymentId}`,
  );
  return earning;
}

async function lastTransactionId(
  { em }: PostScope,
  earningId: string,
  kinds: readonly PostingKind[],
): Promise<string | undefined> {
  const transaction = await kysely(em)
    .selectFrom('ledger_transactions')
    .select('id')
    .where('sourceType', '=', 'earning')
    .where('sourceId', '=', earningId)
    .where('kind', 'in', kinds)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return transaction?.id;
}
