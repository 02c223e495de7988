import type { SettlementFact } from '../facts/facts.ts';
import {
  isLateSettlement,
  nextSettlement,
  type SettlementState,
} from '../facts/settlement-state.ts';
import { type Applied, type ApplyScope, isoOf, minorText, msOf, readMs } from './apply-scope.ts';
import { awaitedNames } from './awaited.ts';
import { type Owner, ownerOf } from './owner.ts';
import { recordEffects } from './record-effects.ts';

/**
 * A settlement of a vendor belongs to the vendor's workspace, any other to the owner of the
 * account. The platform's own settlements have no owner.
 */
export async function applySettlement(scope: ApplyScope, fact: SettlementFact): Promise<Applied> {
  const { vendorId, settlementId } = fact;
  const owner =
    vendorId === undefined
      ? ((await ownerOf(scope, undefined)) ?? PLATFORM)
      : await ownerOf(scope, await vendorOwner(scope, vendorId));
  if (owner === undefined) return { kind: 'unknown', awaited: awaitedNames({ vendor: vendorId }) };
  const { id, state: current } = await lockSettlement(scope, fact, owner);
  await writeSettlement(scope, id, nextSettlement(current, fact));
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
  const [row] = await em.execute<{ workspaceId: string | null }[]>(
    `SELECT workspace_id AS "workspaceId" FROM gateway_vendors
     WHERE account_id = ? AND vendor_id = ?`,
    [accountId, vendorId],
  );
  return row && { ...row, payerOrganizationId: null };
}

type SettlementRow = {
  readonly id: string;
  readonly isNew: boolean;
  readonly status: string;
  readonly statusAtMs: string | null;
  readonly amountMinor: string | null;
  readonly currency: string | null;
  readonly bankReference: string | null;
  readonly settledAtMs: string | null;
};

async function lockSettlement(
  { em, deps, accountId }: ApplyScope,
  { settlementId, vendorId, status }: SettlementFact,
  { workspaceId }: Owner,
): Promise<{ readonly id: string; readonly state: SettlementState | undefined }> {
  const now = new Date(deps.clock.nowMs()).toISOString();
  const [row] = await em.execute<SettlementRow[]>(
    `INSERT INTO gateway_settlements (id, account_id, workspace_id, settlement_id, vendor_id, status,
       created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (account_id, vendor_id, settlement_id)
       DO UPDATE SET settlement_id = excluded.settlement_id
     RETURNING id, xmax = 0 AS "isNew", status, ${msOf('status_at')} AS "statusAtMs",
       amount_minor AS "amountMinor", currency, bank_reference AS "bankReference",
       ${msOf('settled_at')} AS "settledAtMs"`,
    [deps.newId(), accountId, workspaceId, settlementId, vendorId ?? '', status, now, now],
  );
  return { id: row!.id, state: row!.isNew ? undefined : stateOf(row!) };
}

function stateOf(row: SettlementRow): SettlementState {
  return {
    status: row.status,
    statusAtMs: readMs(row.statusAtMs),
    amountMinor: row.amountMinor === null ? undefined : BigInt(row.amountMinor),
    currency: row.currency ?? undefined,
    bankReference: row.bankReference ?? undefined,
    settledAtMs: readMs(row.settledAtMs),
  };
}

async function writeSettlement(
  { em, deps }: ApplyScope,
  id: string,
  state: SettlementState,
): Promise<void> {
  await em.execute(
    `UPDATE gateway_settlements SET status = ?, status_at = ?, amount_minor = ?::bigint,
       currency = ?, bank_reference = ?, settled_at = ?, updated_at = ?
     WHERE id = ?`,
    [
      state.status,
      isoOf(state.statusAtMs),
      minorText(state.amountMinor),
      state.currency ?? null,
      state.bankReference ?? null,
      isoOf(state.settledAtMs),
      new Date(deps.clock.nowMs()).toISOString(),
      id,
    ],
  );
}
