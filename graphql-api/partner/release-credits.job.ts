import type { AppDeps } from '../platform/context.ts';
import { kysely, rowsOf, sql } from '../platform/database/kysely.ts';
import { defineJob, scheduledData } from '../platform/jobs/job.ts';
import { eachOrganization } from './each-organization.ts';
import { type PostScope, post } from './ledger/post.ts';
import { releaseCredits as releasePosting } from './ledger/postings.ts';
import { lockWallet } from './ledger/wallet.ts';
import { RELEASE_HOUR_UTC } from './release-day.ts';

/**
 * Releases the credits whose hold period has ended, each day at 02:00 UTC. A run covers its day and
 * all earlier days, including days whose run was missed. Credits that an interrupted run has released are
 * not released again.
 */
export const releaseCredits = defineJob({
  name: 'release-credits',
  schedule: `0 ${RELEASE_HOUR_UTC} * * *`,
  data: scheduledData,
  async run(context, { dueAt }, signal) {
    const dueOn = new Date(dueAt).toISOString().slice(0, 'YYYY-MM-DD'.length);
    const { wallets, postings } = await releaseDueCredits(context.deps, dueOn, signal);
    context.note({ dueOn, wallets, postings });
  },
});

/**
 * Releases all credits that are due up to and including a UTC day. There is one posting per wallet
 * and due day, so days whose run was missed are included. Each wallet has its own transaction, so repeated and
 * concurrent runs are safe. A failing wallet does not stop the others; the errors are thrown at the
 * end.
 */
export async function releaseDueCredits(
  deps: AppDeps,
  dueOn: string,
  signal?: AbortSignal,
): Promise<{ readonly wallets: number; readonly postings: number }> {
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

async function releaseWallet(
  { em, deps }: PostScope,
  organizationId: string,
  dueOn: string,
): Promise<number> {
  let wallet = await lockWallet(em, organizationId);
  if (wallet === undefined) return 0;
  const days = await rowsOf(
    em,
    sql<DueDay>`
      SELECT release_on, (array_agg(id ORDER BY id))[1] AS first_earning_id,
             sum(amount_minor - clawed_minor)::bigint AS amount_minor
      FROM earnings
      WHERE wallet_id = ${wallet.id} AND status = 'PENDING' AND release_on <= ${dueOn}::date
      GROUP BY release_on ORDER BY release_on`,
  );
  if (days.length === 0) return 0;
  await kysely(em)
    .updateTable('earnings')
    .set({ releasedAt: new Date(deps.clock.nowMs()) })
    .where('walletId', '=', wallet.id)
    .where('status', '=', 'PENDING')
    .where('releaseOn', '<=', dueOn)
    .execute();
  for (const day of days) {
    const posting = releasePosting(wallet.balances, { ...day, walletId: wallet.id });
    ({ wallet } = await post({ em, deps }, wallet, posting));
  }
  return days.length;
}

type DueDay = {
  readonly releaseOn: string;
  readonly firstEarningId: string;
  readonly amountMinor: bigint;
};
