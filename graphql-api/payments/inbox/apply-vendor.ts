import { kysely } from '../../platform/database/kysely.ts';
import type { VendorFact } from '../facts/facts.ts';
import { isLateVendor, nextVendor, type VendorState } from '../facts/vendor-state.ts';
import type { Applied, ApplyScope } from './apply-scope.ts';
import { awaitedNames, wakeAwaiting } from './awaited.ts';
import { ownerOf } from './find-parent.ts';
import { recordEffects } from './record-effects.ts';
import { stateRows } from './state-rows.ts';

const VENDORS = stateRows<VendorState, 'gateway_vendors'>('gateway_vendors', {
  status: 'status',
  statusAtMs: 'statusAt',
});

export async function applyVendor(scope: ApplyScope, fact: VendorFact): Promise<Applied> {
  const { vendorId } = fact;
  const vendor = await kysely(scope.em)
    .selectFrom('gateway_vendors')
    .selectAll()
    .where('accountId', '=', scope.accountId)
    .where('vendorId', '=', vendorId)
    .forUpdate()
    .executeTakeFirst();
  const owner = await ownerOf(scope, vendor && { ...vendor, payerOrganizationId: null });
  if (owner === undefined) return { kind: 'unknown', awaited: awaitedNames({ vendor: vendorId }) };
  const current = vendor && VENDORS.stateOf(vendor);
  if (vendor !== undefined) {
    // The vendor exists, so a failed attempt to create it no longer matters.
    const made = { errorCode: null, errorMessage: null };
    await VENDORS.write(scope, vendor.id, nextVendor(current, fact), made);
    await wakeAwaiting(scope, { vendor: vendorId });
  }
  const isLate = isLateVendor(current, fact);
  return recordEffects(scope, { fact, known: { objectId: vendorId }, owner, isLate });
}
