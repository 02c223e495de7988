// Assigns scopes to slots of the quota board. The main thread assigns them and sends them to the
// workers with the directory, so that counters keep their place across directory changes.

import type { Log } from '../postgres/postgres-link.ts';
import type { SlotChanges } from './directory.ts';
import type { DirectoryData } from './directory-data.ts';
import type { QuotaBoard } from './quota-board.ts';
import { limitsOfKey } from './quota-limits.ts';

export class QuotaSlots {
  readonly #board: QuotaBoard;
  readonly #log: Log;
  #slots = new Map<string, number>();
  #changes = new Map<string, number | null>();
  #unusedFrom = 0;
  /** Oldest first. */
  #freed: { readonly slot: number; readonly freedAtMs: number }[] = [];
  #missing = 0;

  constructor(board: QuotaBoard, log: Log) {
    this.#board = board;
    this.#log = log;
  }

  /**
   * Scopes keep their slots, and removed scopes free theirs. The workers need `takeChanges`.
   */
  assign(data: ScopeData, nowMs: number): ReadonlyMap<string, number> {
    const previous = this.#slots;
    const next = new Map<string, number>();
    const added: string[] = [];
    for (const scope of scopesOf(data)) {
      const slot = previous.get(scope);
      if (slot === undefined) added.push(scope);
      else next.set(scope, slot);
    }
    for (const [scope, slot] of previous) {
      if (next.has(scope)) continue;
      this.#freed.push({ slot, freedAtMs: nowMs });
      this.#changes.set(scope, null);
    }
    this.#missing = 0;
    for (const scope of added) {
      const slot = this.#newSlot(nowMs);
      if (slot === undefined) this.#missing++;
      else {
        next.set(scope, slot);
        this.#changes.set(scope, slot);
      }
    }
    if (this.#missing > 0) {
      this.#log.error(
        { scopes: this.#missing },
        'all quota counters are in use: the limits of some SDK keys or organizations are not enforced',
      );
    }
    this.#slots = next;
    return next;
  }

  /** The changes since the last call, which can be sent to workers. */
  takeChanges(): SlotChanges {
    const changes = this.#changes;
    this.#changes = new Map();
    return changes;
  }

  slotOf(scope: string): number | undefined {
    return this.#slots.get(scope);
  }

  get size(): number {
    return this.#slots.size;
  }

  /** The number of scopes that are not counted because the board is full. For a metric. */
  get missing(): number {
    return this.#missing;
  }

  #newSlot(nowMs: number): number | undefined {
    if (this.#unusedFrom < this.#board.slotCount) return this.#unusedFrom++;
    const oldest = this.#freed[0];
    const hasRested =
      oldest !== undefined && Math.abs(nowMs - oldest.freedAtMs) >= FREED_SLOT_REST_MS;
    if (!hasRested) return undefined;
    this.#freed.shift();
    this.#board.clear(oldest.slot);
    return oldest.slot;
  }
}

/** A worker may use its old directory for a moment longer, and requests in progress keep theirs. */
const FREED_SLOT_REST_MS = 60_000;

type ScopeData = Pick<DirectoryData, 'organizations' | 'workspaces' | 'sdkKeys'>;

function scopesOf(data: ScopeData): Set<string> {
  const organizations = new Map(data.organizations.map(row => [row.id, row]));
  const organizationOf = new Map(
    data.workspaces.map(row => [row.id, organizations.get(row.organizationId)]),
  );
  const scopes = new Set<string>();
  for (const key of data.sdkKeys) {
    const organization = organizationOf.get(key.workspaceId);
    if (organization === undefined) continue;
    for (const limit of limitsOfKey(key, organization)) scopes.add(limit.scope);
  }
  return scopes;
}
