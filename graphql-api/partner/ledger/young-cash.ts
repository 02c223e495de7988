import type { EntityManager } from '@mikro-orm/postgresql';

export type YoungCash = {
  readonly amountMinor: bigint;
  /** When the next part reaches the minimum age; null if all of it has. */
  readonly nextEligibleAt: Date | null;
};

/**
 * The cash that has not reached the minimum age. Payouts use the oldest cash first. A commission
 * that repaid a debt counts in full until it has aged, which is the cautious choice.
 */
export async function youngCash(
  em: EntityManager,
  walletId: string,
  nowMs: number,
): Promise<YoungCash> {
  const now = new Date(nowMs).toISOString();
  const [row] = await em.execute<{ amount_minor: string; next_at: string | null }[]>(
    `SELECT coalesce(sum(amount_minor), 0) AS amount_minor, min(eligible_at) AS next_at
     FROM (SELECT amount_minor - clawed_minor AS amount_minor, eligible_at FROM earnings
           WHERE wallet_id = ? AND kind = 'COMMISSION' AND eligible_at > ?
             AND amount_minor > clawed_minor
           UNION ALL
           SELECT amount_minor, eligible_at FROM conversions
           WHERE wallet_id = ? AND eligible_at > ?) young`,
    [walletId, now, walletId, now],
  );
  const { amount_minor, next_at } = row!;
  return {
    amountMinor: BigInt(amount_minor),
    nextEligibleAt: next_at === null ? null : new Date(next_at),
  };
}
