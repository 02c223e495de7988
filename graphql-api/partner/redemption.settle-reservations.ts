import { kysely, rowsOf, sql } from '../platform/database/kysely.ts';
import { type PostScope, post } from './ledger/post.ts';
import { captureReservation, releaseReservation } from './ledger/postings.ts';
import type { LockedWallet } from './ledger/wallet.ts';

/**
 * Captures the wallet's reservations that match their registered invoice. Releases those that do
 * not match or have expired. Returns the number of settled reservations.
 */
export async function settleReservations(scope: PostScope, locked: LockedWallet): Promise<number> {
  const { em, deps } = scope;
  const now = new Date(deps.clock.nowMs());
  const reservations = await rowsOf(
    em,
    sql<Reservation>`
      SELECT redemption.id, redemption.amount_minor,
             coalesce(own.kind = 'NORMAL' AND own.currency = redemption.currency
               AND own.total_minor = redemption.invoice_total_minor, false) AS is_match
      FROM redemptions redemption
      LEFT JOIN invoices own ON own.organization_id = redemption.organization_id
        AND own.id = redemption.invoice_id AND own.registered_at IS NOT NULL
      WHERE redemption.organization_id = ${locked.organizationId} AND redemption.status = 'RESERVED'
        AND (redemption.expires_at <= ${now} OR EXISTS (
          SELECT FROM invoices WHERE id = redemption.invoice_id AND registered_at IS NOT NULL))
      ORDER BY redemption.id`,
  );
  let wallet = locked;
  for (const reservation of reservations) {
    const { id, isMatch } = reservation;
    await kysely(em)
      .updateTable('redemptions')
      .set({ status: isMatch ? 'CAPTURED' : 'RELEASED', settledAt: now })
      .where('id', '=', id)
      .execute();
    const posting = isMatch
      ? captureReservation(reservation)
      : releaseReservation(wallet.balances, reservation);
    ({ wallet } = await post(scope, wallet, posting));
  }
  return reservations.length;
}

type Reservation = {
  readonly id: string;
  readonly amountMinor: bigint;
  readonly isMatch: boolean;
};
