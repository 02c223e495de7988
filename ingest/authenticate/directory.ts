// The directory of a worker thread: one lookup per request, with everything else precomputed. The
// cost of a change depends only on the number of keys that it affects.

import { uuidToRowBinary } from '../../schema/values/uuid-bytes.ts';
import type {
  DirectoryChange,
  DirectoryRows,
  OrganizationData,
  SdkKeyData,
} from './directory-data.ts';
import { buildOriginRules, matchesOrigin, type OriginRules, UnitedOriginRules } from './origin.ts';
import { limitsOfKey, ownerOfScope, type QuotaLimit } from './quota-limits.ts';

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
  /** Whether the key also accepts the requests of other vendors' clients (ingest/compatible). */
  readonly isCompatible: boolean;
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

/** The slots of scopes, assigned by the main thread for all threads; null if a scope has none now. */
export type SlotChanges = ReadonlyMap<string, number | null>;

type Cell = { slug: string; isEnabled: boolean };
type Workspace = WorkspaceEntry & {
  readonly propertyIds: Set<string>;
  readonly keyIds: Set<string>;
};
/** Without an account while it is being replaced, and if a reference is dangling. */
type Key = { readonly row: SdkKeyData; account: Account | undefined };

/**
 * Rows with dangling references, which the foreign keys prevent, authenticate no request. A scope
 * without a slot is not counted; this happens only if the board is full (see QuotaSlots).
 */
export class Directory {
  readonly #cells = new Map<string, Cell>();
  readonly #organizations = new Map<string, OrganizationData>();
  readonly #workspaces = new Map<string, Workspace>();
  readonly #workspacesByOrganization = new Map<string, Set<Workspace>>();
  /** The workspaces of properties. */
  readonly #properties = new Map<string, string>();
  readonly #keys = new Map<string, Key>();
  readonly #accounts = new Map<string, Account>();
  readonly #slots = new Map<string, number>();
  readonly #someOrigins = new UnitedOriginRules();

  get size(): number {
    return this.#accounts.size;
  }

  /** Undefined for an unknown or revoked key. */
  accountOf(writeKey: string): Account | undefined {
    return this.#accounts.get(writeKey);
  }

  /** The ID must be in lower case. */
  workspaceOf(workspaceId: string): WorkspaceEntry | undefined {
    return this.#workspaces.get(workspaceId);
  }

  /** For preflights, which do not include the key. */
  isOriginAllowedBySomeKey(origin: string): boolean {
    return matchesOrigin(this.#someOrigins, origin);
  }

  apply({ rows, gone }: DirectoryChange, slots: SlotChanges): void {
    for (const row of rows.cells) this.#setCell(row);
    for (const row of rows.organizations) this.#organizations.set(row.id, row);
    for (const row of rows.workspaces) this.#setWorkspace(row);
    for (const row of rows.properties) this.#setProperty(row);
    for (const row of rows.sdkKeys) this.#setKey(row);
    const affected = new Set(rows.sdkKeys.map(({ id }) => id));
    const add = (ids: Iterable<string>) => {
      for (const id of ids) affected.add(id);
    };
    for (const { id } of rows.organizations) add(this.#keysOfOrganization(id));
    for (const { id } of rows.workspaces) add(this.#workspaces.get(id)?.keyIds ?? []);
    for (const [scope, slot] of slots) add(this.#setSlot(scope, slot));
    for (const id of gone.sdkKeys) this.#removeKey(id);
    for (const id of gone.properties) this.#removeProperty(id);
    for (const id of gone.workspaces) this.#removeWorkspace(id);
    for (const id of gone.organizations) this.#organizations.delete(id);
    for (const id of gone.cells) this.#cells.delete(id);
    // Last, so that a write key can move from one row to another.
    for (const id of affected) this.#unlink(this.#keys.get(id));
    for (const id of affected) this.#link(this.#keys.get(id));
  }

  /** Workspaces and accounts refer to the cell, so it changes in place. */
  #setCell({ id, slug, isEnabled }: DirectoryRows['cells'][number]): void {
    const known = this.#cells.get(id);
    if (known === undefined) this.#cells.set(id, { slug, isEnabled });
    else Object.assign(known, { slug, isEnabled });
  }

  #setWorkspace({ id, organizationId, cellId }: DirectoryRows['workspaces'][number]): void {
    const known = this.#workspaces.get(id);
    this.#removeWorkspace(id);
    const cell = this.#cells.get(cellId);
    if (cell === undefined) return;
    const workspace = {
      workspaceId: id,
      workspaceIdBytes: uuidToRowBinary(id),
      organizationId,
      cell,
      propertyIds: known?.propertyIds ?? new Set(),
      keyIds: known?.keyIds ?? new Set(),
    };
    this.#workspaces.set(id, workspace);
    const others = this.#workspacesByOrganization.get(organizationId);
    if (others === undefined)
      this.#workspacesByOrganization.set(organizationId, new Set([workspace]));
    else others.add(workspace);
  }

  #removeWorkspace(id: string): void {
    const known = this.#workspaces.get(id);
    if (known === undefined) return;
    this.#workspaces.delete(id);
    const others = this.#workspacesByOrganization.get(known.organizationId)!;
    others.delete(known);
    if (others.size === 0) this.#workspacesByOrganization.delete(known.organizationId);
  }

  #setProperty({ id, workspaceId }: DirectoryRows['properties'][number]): void {
    this.#removeProperty(id);
    this.#properties.set(id, workspaceId);
    this.#workspaces.get(workspaceId)?.propertyIds.add(id);
  }

  #removeProperty(id: string): void {
    const workspaceId = this.#properties.get(id);
    if (workspaceId !== undefined) this.#workspaces.get(workspaceId)?.propertyIds.delete(id);
    this.#properties.delete(id);
  }

  #setKey(row: SdkKeyData): void {
    this.#removeKey(row.id);
    this.#keys.set(row.id, { row, account: undefined });
    this.#workspaces.get(row.workspaceId)?.keyIds.add(row.id);
  }

  #removeKey(id: string): void {
    const key = this.#keys.get(id);
    if (key === undefined) return;
    this.#unlink(key);
    this.#workspaces.get(key.row.workspaceId)?.keyIds.delete(id);
    this.#keys.delete(id);
  }

  /** Returns the keys that the scope counts. */
  #setSlot(scope: string, slot: number | null): Iterable<string> {
    if (slot === null) this.#slots.delete(scope);
    else this.#slots.set(scope, slot);
    const { kind, id } = ownerOfScope(scope);
    return kind === 'key' ? [id] : this.#keysOfOrganization(id);
  }

  *#keysOfOrganization(id: string): Generator<string> {
    for (const { keyIds } of this.#workspacesByOrganization.get(id) ?? []) yield* keyIds;
  }

  #link(key: Key | undefined): void {
    if (key === undefined) return;
    const { row } = key;
    const workspace = this.#workspaces.get(row.workspaceId);
    const organization = workspace && this.#organizations.get(workspace.organizationId);
    if (organization === undefined || workspace === undefined) return;
    const { workspaceId, workspaceIdBytes, organizationId, cell, propertyIds } = workspace;
    key.account = {
      keyId: row.id,
      keyIdBytes: uuidToRowBinary(row.id),
      workspaceId,
      workspaceIdBytes,
      organizationId,
      cell,
      propertyIds,
      origins: buildOriginRules(row.origins),
      isCompatible: row.accepts === 'COMPATIBLE',
      limits: limitsOfKey(row, organization).flatMap(limit => {
        const slot = this.#slots.get(limit.scope);
        return slot === undefined ? [] : [{ ...limit, slot }];
      }),
    };
    this.#accounts.set(row.writeKey, key.account);
    this.#someOrigins.add(key.account.origins);
  }

  #unlink(key: Key | undefined): void {
    if (key?.account === undefined) return;
    const { writeKey } = key.row;
    if (this.#accounts.get(writeKey) === key.account) this.#accounts.delete(writeKey);
    this.#someOrigins.remove(key.account.origins);
    key.account = undefined;
  }
}
