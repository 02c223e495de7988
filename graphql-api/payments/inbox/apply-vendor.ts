import type { VendorFact } from '../facts/facts.ts';
import { isLateVendor, nextVendor } from '../facts/vendor-state.ts';
import { type Applied, type ApplyScope, isoOf, msOf, readMs } from './apply-scope.ts';
import { awaitedNames, wakeAwaiting } from './awaited.ts';
import { ownerOf } from './owner.ts';
import { recordEffects } from './record-effects.ts';

export async function applyVendor(scope: ApplyScope, fact: VendorFact): Promise<Applied> {
  const { em, deps, accountId } = scope;
  const { vendorId } = fact;
  const [row] = await em.execute<VendorRow[]>(
    `SELECT id, workspace_id AS "workspaceId", status, ${msOf('status_at')} AS "statusAtMs"
     FROM gateway_vendors WHERE account_id = ? AND vendor_id = ? FOR UPDATE`,
    [accountId, vendorId],
  );
  const owner = await ownerOf(scope, row && { ...row, payerOrganizationId: null });
  if (owner === undefined) return { kind: 'unknown', awaited: awaitedNames({ vendor: vendorId }) };
  const current = row && { status: row.status, statusAtMs: readMs(row.statusAtMs) };
  if (row !== undefined) {
    const { status, statusAtMs } = nextVendor(current, fact);
    await em.execute(
      'UPDATE gateway_vendors SET status = ?, status_at = ?, updated_at = ? WHERE id = ?',
      [status, isoOf(statusAtMs), new Date(deps.clock.nowMs()).toISOString(), row.id],
    );
    await wakeAwaiting(scope, { vendor: vendorId });
  }
  return recordEffects(scope, {
    fact,
    known: { objectId: vendorId },
    owner,
    isLate: isLateVendor(current, fact),
  });
}

type VendorRow = {
  readonly id: string;
  readonly workspaceId: string | null;
  readonly status: string;
  readonly statusAtMs: string | null;
};
