// The directory of a worker thread: one lookup per request, with everything else precomputed.

import { uuidToRowBinary } from '../../schema/values/uuid-bytes.ts';
import type { DirectoryData } from './directory-data.ts';
import { buildOriginRules, matchesOrigin, type OriginRules, uniteOriginRules } from './origin.ts';
import { limitsOfKey, type QuotaLimit } from './quota-limits.ts';

/** The tenant of a write key, and what the key may send. */
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

/** A workspace for which the control plane sends rows and events, with or without an SDK key. */
export type WorkspaceEntry = Pick<
  Account,
  'workspaceId' | 'workspaceIdBytes' | 'organizationId' | 'cell' | 'propertyIds'
>;

export type CountedLimit = QuotaLimit & {
  /** The scope's slot on the quota board. */
  readonly slot: number;
};

/** Slots by scope, assigned by the main thread for all threads. */
export type SlotsByScope = ReadonlyMap<string, number>;

export class Directory {
  readonly #accounts: ReadonlyMap<string, Account>;
  readonly #workspaces: ReadonlyMap<string, WorkspaceEntry>;
  readonly #someOrigins: OriginRules;

  constructor(
    accounts: ReadonlyMap<string, Account>,
    workspaces: ReadonlyMap<string, WorkspaceEntry>,
  ) {
    this.#accounts = accounts;
    this.#workspaces = workspaces;
    this.#someOrigins = uniteOriginRules([...accounts.values()].map(account => account.origins));
  }

  get size(): number {
    return this.#accounts.size;
  }

  /** Undefined for an unknown or revoked key. */
  accountOf(writeKey: string): Account | undefined {
    return this.#accounts.get(writeKey);
  }

  /** The id must be in lower case. */
  workspaceOf(workspaceId: string): WorkspaceEntry | undefined {
    return this.#workspaces.get(workspaceId);
  }

  /** For preflights, which do not include the key. */
  isOriginAllowedBySomeKey(origin: string): boolean {
    return matchesOrigin(this.#someOrigins, origin);
  }
}

/**
 * A scope without a slot is not counted; this happens only if the board is full (see QuotaSlots).
 * Rows with dangling references, which the foreign keys prevent, authenticate no request.
 */
export function buildDirectory(data: DirectoryData, slots: SlotsByScope = new Map()): Directory {
  const organizations = new Map(data.organizations.map(row => [row.id, row]));
  const workspaces = buildWorkspaces(data);
  const accounts = new Map<string, Account>();
  for (const key of data.sdkKeys) {
    const workspace = workspaces.get(key.workspaceId);
    const organization = workspace && organizations.get(workspace.organizationId);
    if (organization === undefined || workspace === undefined) continue;
    accounts.set(key.writeKey, {
      ...workspace,
      keyId: key.id,
      keyIdBytes: uuidToRowBinary(key.id),
      origins: buildOriginRules(key.origins),
      limits: limitsOfKey(key, organization).flatMap(limit => {
        const slot = slots.get(limit.scope);
        return slot === undefined ? [] : [{ ...limit, slot }];
      }),
    });
  }
  return new Directory(accounts, workspaces);
}

function buildWorkspaces(data: DirectoryData): Map<string, WorkspaceEntry> {
  const cells = new Map(data.cells.map(({ id, ...cell }) => [id, cell]));
  const propertyIds = new Map<string, Set<string>>();
  for (const { id, workspaceId } of data.properties) {
    const known = propertyIds.get(workspaceId);
    if (known === undefined) propertyIds.set(workspaceId, new Set([id]));
    else known.add(id);
  }
  const workspaces = new Map<string, WorkspaceEntry>();
  for (const { id, organizationId, cellId } of data.workspaces) {
    const cell = cells.get(cellId);
    if (cell === undefined) continue;
    workspaces.set(id, {
      workspaceId: id,
      workspaceIdBytes: uuidToRowBinary(id),
      organizationId,
      cell,
      propertyIds: propertyIds.get(id) ?? new Set(),
    });
  }
  return workspaces;
}
