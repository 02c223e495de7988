// The main thread's copy of the directory. It compares loaded rows with the rows it has, so that
// only differences are sent to the worker threads.

import { isDeepStrictEqual } from 'node:util';
import {
  type DirectoryChange,
  type DirectoryData,
  type DirectoryRows,
  type SdkKeyData,
  TABLE_NAMES,
  type TableName,
} from './directory-data.ts';

/** For each table, the requested IDs, or all. */
export type Wanted = { readonly [Table in TableName]?: ReadonlySet<string> | 'all' };

type Row = { readonly id: string };

export class DirectoryTables {
  readonly #tables: Record<TableName, Map<string, Row>> = {
    cells: new Map(),
    organizations: new Map(),
    workspaces: new Map(),
    properties: new Map(),
    sdkKeys: new Map(),
    gatewaySecrets: new Map(),
  };

  sizeOf(table: TableName): number {
    return this.#tables[table].size;
  }

  organizationOf(workspaceId: string): string | undefined {
    return this.#rows('workspaces').get(workspaceId)?.organizationId;
  }

  /**
   * Applies the rows, except for expired keys. A requested row that was not found has been deleted.
   * Returns the resulting changes.
   */
  apply(found: DirectoryRows, wanted: Wanted, nowMs: number): DirectoryChange {
    const change = noChange();
    for (const name of TABLE_NAMES) {
      const table = this.#tables[name];
      const missing = new Set(wanted[name] === 'all' ? table.keys() : wanted[name]);
      for (const row of found[name]) {
        if ('writeKey' in row && expiryMs(row) <= nowMs) continue;
        missing.delete(row.id);
        if (isDeepStrictEqual(table.get(row.id), row)) continue;
        table.set(row.id, row);
        (change.rows[name] as Row[]).push(row);
      }
      change.gone[name].push(...[...missing].filter(id => table.delete(id)));
    }
    return change;
  }

  /**
   * Removes expired keys, which then get the same response as unknown keys. Uses our own clock, so
   * that keys also expire while Postgres is unavailable.
   */
  removeExpiredKeys(nowMs: number): DirectoryChange {
    const change = noChange();
    const keys = this.#rows('sdkKeys');
    for (const key of keys.values())
      if (expiryMs(key) <= nowMs) {
        keys.delete(key.id);
        change.gone.sdkKeys.push(key.id);
      }
    return change;
  }

  /** When the next key expires; Infinity if none does. */
  nextExpiryMs(): number {
    let next = Infinity;
    for (const key of this.#rows('sdkKeys').values()) next = Math.min(next, expiryMs(key));
    return next;
  }

  toData(revision: string, loadedAtMs: number): DirectoryData {
    const all = <Name extends TableName>(name: Name) => [...this.#rows(name).values()];
    return {
      revision,
      loadedAtMs,
      cells: all('cells'),
      organizations: all('organizations'),
      workspaces: all('workspaces'),
      properties: all('properties'),
      sdkKeys: all('sdkKeys'),
      gatewaySecrets: all('gatewaySecrets').flatMap(({ secrets }) => secrets),
    };
  }

  #rows<Name extends TableName>(name: Name): Map<string, DirectoryRows[Name][number]> {
    return this.#tables[name] as Map<string, DirectoryRows[Name][number]>;
  }
}

export function isEmpty({ rows, gone }: DirectoryChange): boolean {
  return TABLE_NAMES.every(name => rows[name].length === 0 && gone[name].length === 0);
}

function noChange(): DirectoryChange & { readonly gone: Record<TableName, string[]> } {
  const empty = () => ({
    cells: [],
    organizations: [],
    workspaces: [],
    properties: [],
    sdkKeys: [],
    gatewaySecrets: [],
  });
  return { rows: empty(), gone: empty() };
}

function expiryMs(key: SdkKeyData): number {
  return key.expiresAtMs ?? Infinity;
}
