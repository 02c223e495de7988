import { kysely } from '../../platform/database/kysely.ts';
import type { SettlementFact } from '../facts/facts.ts';
import {
  isLateSettlement,
  nextSettlement,
  type SettlementState,
} from '../facts/settlement-state.ts';
import type { Applied, ApplyScope } from './apply-scope.ts';
import { awaitedNames } from './awaited.ts';
import { type Owner, ownerOf } from './find-parent.ts';
import { recordEffects } from './record-effects.ts';
import { stateRows } from './state-rows.ts';

const SETTLEMENTS = stateRows<SettlementState, 'gateway_settlements'>('gateway_settlements', {
  status: 'status',
  statusAtMs: 'statusAt',
  amountMinor: 'amountMinor',
  currency: 'currency',
  bankReference: 'bankReference',
  settledAtMs: 'settledAt',
});

/**
 * A settlement of a vendor belongs to the vendor's workspace, any other to the owner of the
 * account. The platform's own settlements have no owner.
 */
export async function applySettlement(scope: ApplyScope, fact: SettlementFact): Promise<Applied> {
  const { vendorId, settlementId, status } = fact;
  const owner =
    vendorId === undefined
      ? ((await ownerOf(scope, undefined)) ?? PLATFORM)
      : await ownerOf(scope, await vendorOwner(scope, vendorId));
  if (owner === undefined) return { kind: 'unknown', awaited: awaitedNames({ vendor: vendorId }) };
  const { id, state: current } = await SETTLEMENTS.lock(
    scope,
    { vendorId: vendorId ?? '', settlementId },
    { workspaceId: owner.workspaceId, status },
  );
  await SETTLEMENTS.write(scope, id, nextSettlement(current, fact));
  return recordEffects(scope, {
    fact,
    known: { objectId: vendorId === undefined ? settlementId : `${vendorId}/${settlementId}` },
    owner,
    isLate: isLateSettlement(current, fact),
  });
}

const PLATFORM: Owner = { workspaceId: null, payerOrganizationId: null };

async function vendorOwner(
  { em, accountId }: ApplyScope,
  vendorId: string,
): Promise<Owner | undefined> {
  const vendor = await kysely(em)
    .selectFrom('gateway_vendors')
    .select('workspaceId')
    .where('accountId', '=', accountId)
    .where('vendorId', '=', vendorId)
    .executeTakeFirst();
  return vendor && { ...vendor, payerOrganizationId: null };
}
