import type { AppDeps } from '../platform/context.ts';
import { sql } from '../platform/database/kysely.ts';
import { eachOrganization } from './each-organization.ts';
import { lockWallet } from './ledger/wallet.ts';
import { settleReservations } from './redemption.settle-reservations.ts';

/**
 * Settles the reservations that have expired, and those whose invoice belongs to another
 * organization. Repeated and concurrent runs are safe. Returns the number of settled reservations.
 */
export async function expireReservations(deps: AppDeps, signal?: AbortSignal): Promise<number> {
  const now = new Date(deps.clock.nowMs());
  let settled = 0;
  await eachOrganization(deps, {
    due: sql`SELECT DISTINCT organization_id AS id FROM redemptions redemption
          WHERE status = 'RESERVED' AND (expires_at <= ${now} OR EXISTS (
            SELECT FROM invoices
            WHERE id = redemption.invoice_id AND registered_at IS NOT NULL))`,
    signal,
    work: async (em, organizationId) => {
      const wallet = await lockWallet(em, organizationId);
      const count = wallet === undefined ? 0 : await settleReservations({ em, deps }, wallet);
      settled += count;
      return count > 0;
    },
  });
  return settled;
}
