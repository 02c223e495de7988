import { requestPayout as posting } from '../../ledger/payout.ts';
import { post } from '../../ledger/post.ts';
import { share } from '../../ledger/shares.ts';
import { type LockedWallet, lockWallet } from '../../ledger/wallet.ts';
import { reject } from '../../rejected.ts';
import type { ActionScope } from '../run-action.ts';
import { approvedPayee, type Payee } from './payee.ts';
import { requireAmount } from './require-amount.ts';

export type RequestPayout = { readonly amountMinor: bigint };

/** The viewer's organisation asks for cash. What is deducted is fixed here, whatever changes later. */
export async function requestPayout(
  scope: ActionScope,
  { amountMinor }: RequestPayout,
): Promise<{ readonly id: string }> {
  const { em, viewer, deps, audit } = scope;
  requireAmount(amountMinor, 'requestedAmount');
  const locked = await lockWallet(em, viewer.organizationId);
  const payee = await approvedPayee(scope);
  const wallet = await requirePayable(scope, locked, payee, amountMinor);

  const id = deps.newId();
  const taxMinor = share(amountMinor, payee.taxRateBps);
  const payout = { id, grossMinor: amountMinor, taxMinor, netMinor: amountMinor - taxMinor };
  const now = new Date(deps.clock.nowMs()).toISOString();
  await em.execute(
    `WITH touched AS (UPDATE wallets SET last_activity_at = greatest(last_activity_at, ?) WHERE id = ?)
     INSERT INTO payouts (id, organization_id, wallet_id, gross_minor, tax_rate_bps, tax_minor,
       net_minor, currency, created_at)
     VALUES (?, ?, ?, ?::bigint, ?, ?::bigint, ?::bigint, ?, ?)`,
    [
      now,
      wallet.id,
      id,
      wallet.organizationId,
      wallet.id,
      String(payout.grossMinor),
      payee.taxRateBps,
      String(payout.taxMinor),
      String(payout.netMinor),
      wallet.currency,
      now,
    ],
  );
  await post(scope, wallet, posting(payout));
  await audit({
    action: 'payout.request',
    subjectType: 'payout',
    subjectId: id,
    after: {
      grossMinor: String(payout.grossMinor),
      taxRateBps: payee.taxRateBps,
      taxMinor: String(payout.taxMinor),
      netMinor: String(payout.netMinor),
      currency: wallet.currency,
    },
  });
  return { id };
}

/** In the spec's order: the first that fails is the answer. */
async function requirePayable(
  scope: ActionScope,
  wallet: LockedWallet | undefined,
  { payoutMinimumMinor }: Payee,
  amountMinor: bigint,
): Promise<LockedWallet> {
  const field = ['requestedAmount'];
  if (amountMinor < payoutMinimumMinor) reject('BELOW_MIN_THRESHOLD', { field });
  if (wallet === undefined || amountMinor > wallet.balances.CASH)
    return reject('INSUFFICIENT_BALANCE', { field });
  if (amountMinor > wallet.balances.CASH - (await youngCashMinor(scope, wallet)))
    reject('NET30_GUARDRAIL', { field });
  return wallet;
}

/**
 * What came in too lately to be paid out; payouts take the oldest cash first. A commission that went
 * to repay a debt counts whole until it is old enough: that errs on the side of waiting.
 */
async function youngCashMinor({ em, deps }: ActionScope, wallet: LockedWallet): Promise<bigint> {
  const now = new Date(deps.clock.nowMs()).toISOString();
  const [row] = await em.execute<{ young_minor: string }[]>(
    `SELECT coalesce((SELECT sum(amount_minor - clawed_minor) FROM earnings
                      WHERE wallet_id = ? AND kind = 'COMMISSION' AND eligible_at > ?), 0)
          + coalesce((SELECT sum(amount_minor) FROM conversions
                      WHERE wallet_id = ? AND eligible_at > ?), 0) AS young_minor`,
    [wallet.id, now, wallet.id, now],
  );
  return BigInt(row!.young_minor);
}
