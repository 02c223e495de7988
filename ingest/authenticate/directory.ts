// The directory as a worker thread uses it: one lookup per request, everything else prebuilt.

import { uuidToRowBinary } from '../../schema/values/uuid-bytes.ts';
import type { DirectoryData } from './directory-data.ts';
import { buildOriginRules, matchesOrigin, type OriginRules, uniteOriginRules } from './origin.ts';
import { limitsOfKey, type QuotaLimit } from './quota-limits.ts';

/** Whose events a write key sends, and what it may send. */
export type Account = {
  readonly keyId: string;
  readonly keyIdBytes: Uint8Array;
  readonly workspaceId: string;
  readonly workspaceIdBytes: Uint8Array;
  readonly organizationId: string;
  readonly cell: { readonly slug: string; readonly isEnabled: boolean };
  readonly propertyIds: ReadonlySet<string>;
  readonly origins: OriginRules;
  readonly limits: readonly CountedLimit[];
};

export type CountedLimit = QuotaLimit & {
  /** Where on the board the scope is counted. */
  readonly slot: number;
};

/** By scope; assigned on the main thread for all threads alike. */
export type SlotsByScope = ReadonlyMap<string, number>;

export class Directory {
  readonly #accounts: ReadonlyMap<string, Account>;
  readonly #someOrigins: OriginRules;

  constructor(accounts: ReadonlyMap<string, Account>) {
    this.#accounts = accounts;
    this.#someOrigins = uniteOriginRules([...accounts.values()].map(account => account.origins));
  }

  get size(): number {
    return this.#accounts.size;
  }

  /** Undefined for an unknown or revoked key. */
  accountOf(writeKey: string): Account | undefined {
    return this.#accounts.get(writeKey);
  }

  /** For preflights, which do not say which key they are for. */
  isOriginAllowedBySomeKey(origin: string): boolean {
    return matchesOrigin(this.#someOrigins, origin);
  }
}

/**
 * A scope without a slot is not counted; there are none but for a full board (see QuotaSlots).
 * Rows that point nowhere, which the database's foreign keys rule out, authenticate nobody.
 */
export function buildDirectory(data: DirectoryData, slots: SlotsByScope = new Map()): Directory {
  const cells = new Map(data.cells.map(({ id, ...cell }) => [id, cell]));
  const organizations = new Map(data.organizations.map(row => [row.id, row]));
  const workspaces = buildWorkspaces(data);
  const accounts = new Map<string, Account>();
  for (const key of data.sdkKeys) {
    const workspace = workspaces.get(key.workspaceId);
    const organization = workspace && organizations.get(workspace.organizationId);
    const cell = workspace && cells.get(workspace.cellId);
    if (organization === undefined || cell === undefined || workspace === undefined) continue;
    accounts.set(key.writeKey, {
      keyId: key.id,
      keyIdBytes: uuidToRowBinary(key.id),
      workspaceId: key.workspaceId,
      workspaceIdBytes: workspace.idBytes,
      organizationId: organization.id,
      cell,
      propertyIds: workspace.propertyIds,
      origins: buildOriginRules(key.origins),
      limits: limitsOfKey(key, organization).flatMap(limit => {
        const slot = slots.get(limit.scope);
        return slot === undefined ? [] : [{ ...limit, slot }];
      }),
    });
  }
  return new Directory(accounts);
}

function buildWorkspaces(data: DirectoryData) {
  const workspaces = new Map(
    data.workspaces.map(({ id, ...row }) => {
      return [id, { ...row, idBytes: uuidToRowBinary(id), propertyIds: new Set<string>() }];
    }),
  );
  for (const { id, workspaceId } of data.properties)
    workspaces.get(workspaceId)?.propertyIds.add(id);
  return workspaces;
}
