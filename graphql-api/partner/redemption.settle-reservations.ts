import { type PostScope, post } from './ledger/post.ts';
import { captureReservation, releaseReservation } from './ledger/redeem.ts';
import type { LockedWallet } from './ledger/wallet.ts';

type Settleable = { id: string; amount_minor: string; is_match: boolean };

/**
 * Captures the wallet's reservations that match their registered invoice. Releases those that do
 * not match or have expired. Returns the number of settled reservations.
 */
export async function settleReservations(scope: PostScope, locked: LockedWallet): Promise<number> {
  const { em, deps } = scope;
  const now = new Date(deps.clock.nowMs()).toISOString();
  const settleable = await em.execute<Settleable[]>(
    `SELECT redemption.id, redemption.amount_minor,
            coalesce(own.kind = 'NORMAL' AND own.currency = redemption.currency
              AND own.total_minor = redemption.invoice_total_minor, false) AS is_match
     FROM redemptions redemption
     LEFT JOIN invoices own ON own.organization_id = redemption.organization_id
       AND own.id = redemption.invoice_id AND own.registered_at IS NOT NULL
     WHERE redemption.organization_id = ? AND redemption.status = 'RESERVED'
       AND (redemption.expires_at <= ? OR EXISTS (
         SELECT FROM invoices WHERE id = redemption.invoice_id AND registered_at IS NOT NULL))
     ORDER BY redemption.id`,
    [locked.organizationId, now],
  );
  let wallet = locked;
  for (const { id, amount_minor, is_match } of settleable) {
    await em.execute('UPDATE redemptions SET status = ?, settled_at = ? WHERE id = ?', [
      is_match ? 'CAPTURED' : 'RELEASED',
      now,
      id,
    ]);
    const reservation = { id, amountMinor: BigInt(amount_minor) };
    const posting = is_match
      ? captureReservation(reservation)
      : releaseReservation(wallet.balances, reservation);
    ({ wallet } = await post(scope, wallet, posting));
  }
  return settleable.length;
}
