import type { EntityManager } from '@mikro-orm/postgresql';

/** From this many active referrals on, an organisation may become an affiliate. */
export const UPGRADE_THRESHOLD = 11;

/** How many that it referred have a cleared payment that was not charged back. */
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
