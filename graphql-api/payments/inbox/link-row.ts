import type { LinkState } from '../facts/link-state.ts';
import { type ApplyScope, isoOf, msOf, readMs } from './apply-scope.ts';
import type { Owner } from './owner.ts';

export type LockedLink = Owner & {
  readonly id: string;
  readonly linkId: string;
  readonly amountMinor: bigint;
  readonly state: LinkState;
};

type LinkRow = Owner & {
  readonly id: string;
  readonly linkId: string;
  readonly cfLinkId: string | null;
  readonly status: string;
  readonly statusAtMs: string | null;
  readonly linkUrl: string | null;
  readonly amountMinor: string;
  readonly amountPaidMinor: string;
};

/** Locks the row until the end of the transaction. */
export async function readLinkRow(
  { em, accountId }: ApplyScope,
  {
    linkId,
    cfLinkId,
  }: { readonly linkId?: string | undefined; readonly cfLinkId?: string | undefined },
): Promise<LockedLink | undefined> {
  const [row] = await em.execute<LinkRow[]>(
    `SELECT id, workspace_id AS "workspaceId", payer_organization_id AS "payerOrganizationId",
       link_id AS "linkId", cf_id AS "cfLinkId", status, ${msOf('status_at')} AS "statusAtMs",
       link_url AS "linkUrl", amount_minor AS "amountMinor", amount_paid_minor AS "amountPaidMinor"
     FROM gateway_links
     WHERE account_id = ? AND (link_id = ? OR (?::text IS NULL AND cf_id = ?))
     FOR UPDATE`,
    [accountId, linkId ?? null, linkId ?? null, cfLinkId ?? null],
  );
  if (row === undefined) return undefined;
  const { status, cfLinkId: cfId, linkUrl } = row;
  return {
    ...row,
    amountMinor: BigInt(row.amountMinor),
    state: {
      status,
      statusAtMs: readMs(row.statusAtMs),
      cfLinkId: cfId ?? undefined,
      linkUrl: linkUrl ?? undefined,
      amountPaidMinor: BigInt(row.amountPaidMinor),
    },
  };
}

export async function writeLink(
  { em, deps }: ApplyScope,
  id: string,
  { status, statusAtMs, cfLinkId, linkUrl, amountPaidMinor }: LinkState,
): Promise<void> {
  await em.execute(
    `UPDATE gateway_links SET status = ?, status_at = ?, cf_id = ?, link_url = ?,
       amount_paid_minor = ?::bigint, updated_at = ?
     WHERE id = ?`,
    [
      status,
      isoOf(statusAtMs),
      cfLinkId ?? null,
      linkUrl ?? null,
      String(amountPaidMinor),
      new Date(deps.clock.nowMs()).toISOString(),
      id,
    ],
  );
}
