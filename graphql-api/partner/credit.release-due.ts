import type { AppDeps } from '../platform/context.ts';
import { sql } from '../platform/database/kysely.ts';
import { eachOrganization } from './each-organization.ts';
import { type PostScope, post } from './ledger/post.ts';
import { releaseCredits } from './ledger/release-credits.ts';
import { lockWallet } from './ledger/wallet.ts';

export type Released = { readonly wallets: number; readonly postings: number };

/**
 * Releases all credits that are due up to and including a UTC day. There is one posting per wallet
 * and day, so missed days are caught up. Each wallet has its own transaction, so repeated and
 * concurrent runs are safe. A failing wallet does not stop the others; the errors are thrown at the
 * end.
 */
export async function releaseDueCredits(
  deps: AppDeps,
  dueOn: string,
  signal?: AbortSignal,
): Promise<Released> {
  let postings = 0;
  const wallets = await eachOrganization(deps, {
    due: sql`SELECT DISTINCT organization_id AS id FROM earnings
             WHERE status = 'PENDING' AND release_on <= ${dueOn}::date`,
    signal,
    work: async (em, organizationId) => {
      const released = await releaseWallet({ em, deps }, organizationId, dueOn);
      postings += released;
      return released > 0;
    },
  });
  return { wallets, postings };
}

type DueDay = { release_on: string; first_id: string; amount_minor: string };

async function releaseWallet(
  scope: PostScope,
  organizationId: string,
  dueOn: string,
): Promise<number> {
  const { em, deps } = scope;
  let wallet = await lockWallet(em, organizationId);
  if (wallet === undefined) return 0;
  const days = await em.execute<DueDay[]>(
    `SELECT release_on, (array_agg(id ORDER BY id))[1] AS first_id,
            sum(amount_minor - clawed_minor) AS amount_minor
     FROM earnings WHERE wallet_id = ? AND status = 'PENDING' AND release_on <= ?::date
     GROUP BY release_on ORDER BY release_on`,
    [wallet.id, dueOn],
  );
  if (days.length === 0) return 0;
  await em.execute(
    `UPDATE earnings SET released_at = ?
     WHERE wallet_id = ? AND status = 'PENDING' AND release_on <= ?::date`,
    [new Date(deps.clock.nowMs()).toISOString(), wallet.id, dueOn],
  );
  for (const day of days) {
    const posting = releaseCredits(wallet.balances, {
      walletId: wallet.id,
      releaseOn: day.release_on,
      firstEarningId: day.first_id,
      amountMinor: BigInt(day.amount_minor),
    });
    ({ wallet } = await post(scope, wallet, posting));
  }
  return days.length;
}
