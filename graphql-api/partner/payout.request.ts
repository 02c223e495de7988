import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { post } from './ledger/post.ts';
import { requestPayout } from './ledger/postings.ts';
import { share } from './ledger/shares.ts';
import { type LockedWallet, lockWallet, touchingWallet } from './ledger/wallet.ts';
import { payoutRefusal, requirePayee, youngCash } from './payout.rules.ts';
import { termsOf } from './program-terms.reads.ts';
import { requireMinor } from './require-amount.ts';
import type { PayoutRequest } from './wallet.contract.ts';

/**
 * Requests a payout for the viewer's organization. The tax is fixed here; later changes do not
 * affect it.
 */
export async function payoutRequest(
  scope: ActionScope,
  { requestedAmount }: PayoutRequest,
): Promise<{ readonly id: string }> {
  const { em, viewer, deps, audit } = scope;
  const { currency, payoutMinimumMinor } = await termsOf(em, viewer.organizationId);
  const grossMinor = requireMinor(requestedAmount, currency, 'requestedAmount');
  const locked = await lockWallet(em, viewer.organizationId);
  const taxRateBps = await requirePayee(scope);
  const wallet = await requirePayable(scope, locked, grossMinor, payoutMinimumMinor);

  const taxMinor = share(grossMinor, taxRateBps);
  const payout = { id: deps.newId(), grossMinor, taxMinor, netMinor: grossMinor - taxMinor };
  const now = new Date(deps.clock.nowMs());
  const of = {
    organizationId: wallet.organizationId,
    walletId: wallet.id,
    currency: wallet.currency,
  };
  await touchingWallet(em, wallet, now)
    .insertInto('payouts')
    .values({ ...payout, ...of, taxRateBps, createdAt: now })
    .execute();
  await post(scope, wallet, requestPayout(payout));
  await audit({
    action: 'payout.request',
    subjectId: payout.id,
    after: {
      grossMinor: String(grossMinor),
      taxRateBps,
      taxMinor: String(taxMinor),
      netMinor: String(payout.netMinor),
      currency: wallet.currency,
    },
  });
  return { id: payout.id };
}

async function requirePayable(
  { em, deps }: ActionScope,
  wallet: LockedWallet | undefined,
  amountMinor: bigint,
  minimumMinor: bigint,
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
