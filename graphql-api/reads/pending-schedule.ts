import type { EntityManager } from '@mikro-orm/postgresql';

export type PendingRelease = {
  /** YYYY-MM-DD in UTC; released by that day's job, at 02:00. */
  readonly releaseDate: string;
  readonly totalMinor: bigint;
  readonly transactionCount: number;
};

export type PendingSchedule = {
  readonly totalPendingMinor: bigint;
  readonly nextReleaseDate: string | null;
  readonly releases: readonly PendingRelease[];
};

/** The organisation's held credits by the day of their release. At most one line a day. */
export async function pendingSchedule(
  em: EntityManager,
  organizationId: string,
): Promise<PendingSchedule> {
  const rows = await em.execute<{ release_on: string; total: string; count: string }[]>(
    `SELECT release_on, sum(amount_minor - clawed_minor) AS total, count(*) AS count
     FROM earnings WHERE organization_id = ? AND status = 'PENDING'
     GROUP BY release_on ORDER BY release_on`,
    [organizationId],
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
