// The counters of all capped scopes, in memory shared by all threads of a node. Worker threads take
// events from leases; only the main thread opens windows and adds leases.
//
// Each scope has a slot. A slot has a few cells, one per recent window, so that a request received
// just before the end of a window is still counted there while others are counted in the next. The
// main thread writes the lease before the total, and workers read the total first, so a worker
// never sees a total without its lease.

import { judge, type Verdict } from './quota-arithmetic.ts';

type BoardLimit = { readonly slot: number; readonly windowMs: number; readonly cap: number };

export type Cell = {
  /** Events admitted by this node. */
  readonly used: number;
  /** Events leased by this node. */
  readonly granted: number;
  /** Events leased by all nodes, as last known. */
  readonly total: number;
};

export class QuotaBoard {
  readonly #words: Uint32Array;
  readonly slotCount: number;

  constructor(memory: SharedArrayBuffer) {
    this.#words = new Uint32Array(memory);
    this.slotCount = Math.floor(this.#words.length / SLOT_WORDS);
  }

  /** The outcome of taking `amount` from the limit's window, without taking it. */
  judge(limit: BoardLimit, amount: number, nowMs: number): Verdict {
    const words = this.#words;
    const at = cellAt(limit, nowMs);
    if (Atomics.load(words, at + TAG) !== tagOf(limit, nowMs)) return 'needs-lease';
    const total = Atomics.load(words, at + TOTAL);
    const granted = Atomics.load(words, at + GRANTED);
    return judge(Atomics.load(words, at + USED), granted, total, amount, limit.cap);
  }

  /**
   * Returns false and takes nothing if the amount no longer fits because another thread was faster.
   */
  take(limit: BoardLimit, amount: number, nowMs: number): boolean {
    const words = this.#words;
    const at = cellAt(limit, nowMs);
    for (;;) {
      if (Atomics.load(words, at + TAG) !== tagOf(limit, nowMs)) return false;
      const granted = Atomics.load(words, at + GRANTED);
      const used = Atomics.load(words, at + USED);
      if (judge(used, granted, 0, amount, limit.cap) !== 'fits') return false;
      if (Atomics.compareExchange(words, at + USED, used, used + amount) === used) return true;
    }
  }

  giveBack(limit: BoardLimit, amount: number, nowMs: number): void {
    const at = cellAt(limit, nowMs);
    if (Atomics.load(this.#words, at + TAG) !== tagOf(limit, nowMs)) return;
    Atomics.sub(this.#words, at + USED, amount);
  }

  /**
   * Main thread only. Returns the cell of the window and resets it if it belonged to another
   * window.
   */
  open(limit: BoardLimit, atMs: number): Cell {
    const words = this.#words;
    const at = cellAt(limit, atMs);
    const tag = tagOf(limit, atMs);
    if (Atomics.load(words, at + TAG) !== tag) {
      Atomics.store(words, at + TAG, NO_WINDOW);
      for (const field of [USED, TOTAL, GRANTED]) Atomics.store(words, at + field, 0);
      Atomics.store(words, at + TAG, tag);
    }
    return {
      used: Atomics.load(words, at + USED),
      granted: Atomics.load(words, at + GRANTED),
      total: Atomics.load(words, at + TOTAL),
    };
  }

  /** Main thread only. */
  addLease(limit: BoardLimit, atMs: number, granted: number, total: number): void {
    const at = cellAt(limit, atMs);
    Atomics.add(this.#words, at + GRANTED, granted);
    Atomics.store(this.#words, at + TOTAL, Math.min(total, WORD_MAX));
  }

  /** Main thread only. */
  clear(slot: number): void {
    for (let word = slot * SLOT_WORDS; word < (slot + 1) * SLOT_WORDS; word++) {
      Atomics.store(this.#words, word, 0);
    }
  }
}

export function createQuotaMemory(slotCount = SLOTS_MAX): SharedArrayBuffer {
  return new SharedArrayBuffer(slotCount * SLOT_WORDS * Uint32Array.BYTES_PER_ELEMENT);
}

/** Room for about 20,000 keys with both caps and their tenants. 4 MiB, resident only where used. */
const SLOTS_MAX = 65_536;

const TAG = 0;
const USED = 1;
const GRANTED = 2;
const TOTAL = 3;
const CELL_WORDS = 4;
/**
 * A power of two. No request lasts for three windows, so a cell is not reused while a request needs
 * it.
 */
const CELLS = 4;
const SLOT_WORDS = CELLS * CELL_WORDS;
const WORD_MAX = 2 ** 32 - 1;
const NO_WINDOW = 0;

function windowOf(limit: BoardLimit, atMs: number): number {
  return Math.max(0, Math.floor(atMs / limit.windowMs));
}

/** Never equals NO_WINDOW. */
function tagOf(limit: BoardLimit, atMs: number): number {
  return windowOf(limit, atMs) + 1;
}

function cellAt(limit: BoardLimit, atMs: number): number {
  return limit.slot * SLOT_WORDS + (windowOf(limit, atMs) % CELLS) * CELL_WORDS;
}
