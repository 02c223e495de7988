import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { convertCredits } from './ledger/convert-credits.ts';
import { post } from './ledger/post.ts';
import { lockWallet } from './ledger/wallet.ts';
import { approvedPayee } from './payee.ts';
import { requireAmount } from './require-amount.ts';

export type ConvertCredits = {
  /** Defaults to all available credits. */
  readonly amountMinor?: bigint | null | undefined;
};

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Converts credits of the viewer's organization to cash. The minimum age of the cash counts from
 * now.
 */
export async function convertCreditsToCash(
  scope: ActionScope,
  input: ConvertCredits,
): Promise<{ readonly id: string }> {
  const { em, viewer, deps, audit } = scope;
  if (input.amountMinor != null) requireAmount(input.amountMinor, 'requestedAmount');
  const wallet = await lockWallet(em, viewer.organizationId);
  const { commissionAgeDays } = await approvedPayee(scope);
  const availableMinor = wallet?.balances.AVAILABLE ?? 0n;
  const amountMinor = input.amountMinor ?? availableMinor;
  if (wallet === undefined || amountMinor === 0n || amountMinor > availableMinor)
    return reject('INSUFFICIENT_BALANCE', { field: ['requestedAmount'] });

  const id = deps.newId();
  const nowMs = deps.clock.nowMs();
  const now = new Date(nowMs).toISOString();
  await em.execute(
    `WITH touched AS (UPDATE wallets SET last_activity_at = greatest(last_activity_at, ?) WHERE id = ?)
     INSERT INTO conversions
       (id, organization_id, wallet_id, amount_minor, currency, eligible_at, created_at)
     VALUES (?, ?, ?, ?::bigint, ?, ?, ?)`,
    [
      now,
      wallet.id,
      id,
      wallet.organizationId,
      wallet.id,
      String(amountMinor),
      wallet.currency,
      new Date(nowMs + commissionAgeDays * DAY_MS).toISOString(),
      now,
    ],
  );
  await post(scope, wallet, convertCredits({ id, amountMinor }));
  await audit({
    action: 'credits.convert',
    subjectType: 'conversion',
    subjectId: id,
    after: { amountMinor: String(amountMinor), currency: wallet.currency },
  });
  return { id };
}
