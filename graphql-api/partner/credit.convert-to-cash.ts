import { DAY_MS } from '../../schema/values/durations.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { post } from './ledger/post.ts';
import { convertCredits } from './ledger/postings.ts';
import { lockWallet, touchingWallet } from './ledger/wallet.ts';
import { requirePayee } from './payout.rules.ts';
import { termsOf } from './program-terms.reads.ts';
import { requireMinor } from './require-amount.ts';
import type { CreditsToCash } from './wallet.contract.ts';

/**
 * Converts credits of the viewer's organization to cash: all that are available if no amount is
 * given. The minimum age of the cash counts from now.
 */
export async function creditsToCash(
  scope: ActionScope,
  { requestedAmount }: CreditsToCash,
): Promise<{ readonly id: string }> {
  const { em, viewer, deps, audit } = scope;
  const terms = await termsOf(em, viewer.organizationId);
  const requestedMinor =
    requestedAmount == null
      ? undefined
      : requireMinor(requestedAmount, terms.currency, 'requestedAmount');
  const wallet = await lockWallet(em, viewer.organizationId);
  await requirePayee(scope);
  const availableMinor = wallet?.balances.AVAILABLE ?? 0n;
  const amountMinor = requestedMinor ?? availableMinor;
  if (wallet === undefined || amountMinor === 0n || amountMinor > availableMinor)
    return reject('INSUFFICIENT_BALANCE', { field: ['requestedAmount'] });

  const id = deps.newId();
  const { organizationId, currency } = wallet;
  const now = new Date(deps.clock.nowMs());
  const eligibleAt = new Date(now.getTime() + terms.commissionAgeDays * DAY_MS);
  await touchingWallet(em, wallet, now)
    .insertInto('conversions')
    .values({
      id,
      organizationId,
      walletId: wallet.id,
      amountMinor,
      currency,
      eligibleAt,
      createdAt: now,
    })
    .execute();
  await post(scope, wallet, convertCredits({ id, amountMinor }));
  await audit({
    action: 'credits.convert',
    subjectType: 'conversion',
    subjectId: id,
    after: { amountMinor: String(amountMinor), currency },
  });
  return { id };
}
