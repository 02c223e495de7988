import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { requestPayout as posting } from './ledger/payout.ts';
import { payoutRefusal } from './ledger/payout-refusal.ts';
import { post } from './ledger/post.ts';
import { share } from './ledger/shares.ts';
import { type LockedWallet, lockWallet } from './ledger/wallet.ts';
import { youngCash } from './ledger/young-cash.ts';
import { approvedPayee, type Payee } from './payee.ts';
import { requireAmount } from './require-amount.ts';

export type RequestPayout = { readonly amountMinor: bigint };

/**
 * Requests a payout for the viewer's organization. The tax is fixed here; later changes do not
 * affect it.
 */
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

async function requirePayable(
  { em, deps }: ActionScope,
  wallet: LockedWallet | undefined,
  { payoutMinimumMinor: minimumMinor }: Payee,
  amountMinor: bigint,
): Promise<LockedWallet> {
  const young = wallet && (await youngCash(em, wallet.id, deps.clock.nowMs()));
  const refusal = payoutRefusal({
    amountMinor,
    minimumMinor,
    cashMinor: wallet?.balances.CASH ?? 0n,
    youngMinor: young?.amountMinor ?? 0n,
  });
  const field = ['requestedAmount'];
  if (refusal !== undefined) reject(refusal, { field });
  // Without a wallet there is no cash, so the request was already rejected.
  return wallet ?? reject('INSUFFICIENT_BALANCE', { field });
}
