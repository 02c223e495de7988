import type { EntityManager } from '@mikro-orm/postgresql';
import { nextReleaseDay } from './release-day.ts';
import type { WalletOf } from './wallet.reads.ts';

export type PendingRelease = {
  /** YYYY-MM-DD in UTC. That day's job releases the credits at 02:00. Never in the past. */
  readonly releaseDate: string;
  readonly totalMinor: bigint;
  readonly transactionCount: number;
};

export type PendingSchedule = {
  readonly totalPendingMinor: bigint;
  readonly nextReleaseDate: string | null;
  readonly releases: readonly PendingRelease[];
};

/** The organization's held credits by release day, at most one entry per day. */
export async function pendingSchedule(
  em: EntityManager,
  { organizationId, nowMs }: WalletOf,
): Promise<PendingSchedule> {
  const rows = await em.execute<{ release_on: string; total: string; count: string }[]>(
    `SELECT release_on, sum(amount_minor - clawed_minor) AS total, count(*) AS count
     FROM (
       SELECT greatest(release_on, ?::date) AS release_on, amount_minor, clawed_minor
       FROM earnings WHERE organization_id = ? AND status = 'PENDING') held
     GROUP BY release_on ORDER BY release_on`,
    [nextReleaseDay(nowMs), organizationId],
  );
  const releases = rows.map(({ release_on, total, count }) => ({
    releaseDate: release_on,
    totalMinor: BigInt(total),
    transactionCount: Number(count),
  }));
  return {
    totalPendingMinor: releases.reduce((sum, { totalMinor }) => sum + totalMinor, 0n),
    nextReleaseDate: releases[0]?.releaseDate ?? null,
    releases,
  };
}
