import { clawBack } from './ledger/claw-back.ts';
import { clawedTarget } from './ledger/clawed-target.ts';
import { type PostScope, post } from './ledger/post.ts';
import { restore } from './ledger/restore.ts';
import { type LockedWallet, lockWallet } from './ledger/wallet.ts';

export type Settlement = {
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

  const amountMinor = BigInt(earning.amount_minor);
  const clawedMinor = BigInt(earning.clawed_minor);
  const targetMinor = clawedTarget(amountMinor, {
    paymentMinor: BigInt(earning.payment_minor),
    refundedMinor: BigInt(earning.refunded_minor),
    hasOpenChargeback: earning.has_open_chargeback,
  });
  if (targetMinor === clawedMinor) return;
  const isClawBack = targetMinor > clawedMinor;
  const reversed = {
    earningId: earning.id,
    kind: earning.kind,
    isHeld: earning.is_held,
    amountMinor: isClawBack ? targetMinor - clawedMinor : clawedMinor - targetMinor,
    causeId,
    reversesId: await lastTransactionId(
      scope,
      earning.id,
      isClawBack ? ['EARN_CREDIT', 'EARN_COMMISSION'] : ['CLAW_BACK'],
    ),
  };
  await em.execute('UPDATE earnings SET clawed_minor = ?::bigint WHERE id = ?', [
    String(targetMinor),
    earning.id,
  ]);
  await post(scope, wallet, (isClawBack ? clawBack : restore)(wallet.balances, reversed));
}

async function lockReferrersWallet({ em }: PostScope, paymentId: string) {
  const [earning] = await em.execute<{ organization_id: string }[]>(
    'SELECT organization_id FROM earnings WHERE payment_id = ?',
    [paymentId],
  );
  return earning === undefined ? undefined : lockWallet(em, earning.organization_id);
}

type EarningRow = {
  id: string;
  kind: 'CREDIT' | 'COMMISSION';
  is_held: boolean;
  amount_minor: string;
  clawed_minor: string;
  payment_minor: string;
  refunded_minor: string;
  has_open_chargeback: boolean;
};

/**
 * Must be called after the wallet is locked, so that a concurrent release is either visible or
 * waits.
 */
async function readEarning({ em }: PostScope, paymentId: string): Promise<EarningRow | undefined> {
  const [row] = await em.execute<EarningRow[]>(
    `SELECT earning.id, earning.kind, earning.released_at IS NULL AS is_held,
            earning.amount_minor, earning.clawed_minor, fact.amount_minor AS payment_minor,
            coalesce(reversed.refunded_minor, 0) AS refunded_minor,
            coalesce(reversed.has_open_chargeback, false) AS has_open_chargeback
     FROM earnings earning
     JOIN payment_facts fact ON fact.id = earning.payment_id
     CROSS JOIN LATERAL (
       SELECT sum(reversal.amount_minor) AS refunded_minor,
              bool_or(kind = 'CHARGEBACK' AND won_at IS NULL) AS has_open_chargeback
       FROM payment_reversals reversal WHERE payment_id = fact.id) reversed
     WHERE earning.payment_id = ?`,
    [paymentId],
  );
  return row;
}

async function lastTransactionId(
  { em }: PostScope,
  earningId: string,
  kinds: readonly string[],
): Promise<string | undefined> {
  const [row] = await em.execute<{ id: string }[]>(
    `SELECT id FROM ledger_transactions
     WHERE source_type = 'earning' AND source_id = ? AND kind = ANY (?::text[])
     ORDER BY created_at DESC, id DESC LIMIT 1`,
    [earningId, `{${kinds.join(',')}}`],
  );
  return row?.id;
}
