import type { EntityManager } from '@mikro-orm/postgresql';
import { rowsOf, sql } from '../platform/database/kysely.ts';

/**
 * Recounts the live payments that make the payer an active referral. The caller must hold the lock
 * of the payment or of the relation.
 */
export async function countLivePayments(em: EntityManager, paymentId: string): Promise<void> {
  await rowsOf(
    em,
    sql`UPDATE referee_relations SET live_payments = (
          SELECT count(*) FROM payment_facts live
          WHERE live.organization_id = referee_organization_id AND live.cleared_at IS NOT NULL
            AND NOT EXISTS (
              SELECT FROM payment_reversals
              WHERE payment_id = live.id AND kind = 'CHARGEBACK' AND won_at IS NULL))
        WHERE referee_organization_id = (
          SELECT organization_id FROM payment_facts WHERE id = ${paymentId})`,
  );
}
