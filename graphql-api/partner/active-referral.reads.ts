import type { EntityManager } from '@mikro-orm/postgresql';

/** The number of active referrals required to become an affiliate. */
export const UPGRADE_THRESHOLD = 11;

/** Counts the referrals with at least one cleared payment that was not charged back. */
export async function activeReferralsOf(
  em: EntityManager,
  organizationId: string,
): Promise<number> {
  const [row] = await em.execute<{ count: number }[]>(
    `SELECT count(*)::int AS count FROM referee_relations
     WHERE referrer_organization_id = ? AND live_payments > 0`,
    [organizationId],
  );
  return row!.count;
}
