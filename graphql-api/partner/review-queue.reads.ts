// How long the review queues are, for platform admins. Their items are listed by `kycSubmissions`,
// `platformPayouts` and `platformDeals`.

import type { Context } from '../platform/context.ts';
import { readAcrossTenants } from '../platform/database/across-tenants.ts';
import { rowsOf, sql } from '../platform/database/kysely.ts';

export type ReviewQueue = {
  readonly count: number;
  /** Null if the queue is empty. */
  readonly oldestAt: Date | null;
};
export type ReviewQueues = Readonly<Record<'kycSubmissions' | 'payouts' | 'deals', ReviewQueue>>;

export async function reviewQueues(context: Context): Promise<ReviewQueues> {
  const now = new Date(context.deps.clock.nowMs());
  const rows = await readAcrossTenants(context, em =>
    rowsOf(
      em,
      sql<ReviewQueue & { readonly name: keyof ReviewQueues }>`
        SELECT 'kycSubmissions' AS name, count(*)::int AS count, min(created_at) AS oldest_at
        FROM kyc_submissions WHERE status = 'KYC_PENDING'
        UNION ALL
        SELECT 'payouts', count(*)::int, min(created_at) FROM payouts WHERE status = 'REQUESTED'
        UNION ALL
        SELECT 'deals', count(*)::int, min(first_proof.created_at)
        FROM agency_deals deal LEFT JOIN LATERAL (
          SELECT min(created_at) AS created_at FROM deal_proofs WHERE deal_id = deal.id
        ) first_proof ON true
        WHERE deal.status = 'PROOF_SUBMITTED' AND deal.locked_until > ${now}`,
    ),
  );
  return Object.fromEntries(rows.map(({ name, ...queue }) => [name, queue])) as ReviewQueues;
}
