// The counters of all capped scopes, in memory that all threads of a node share. The worker threads
// take events from what is leased; the main thread alone opens windows and adds leases.
//
// A slot is a scope's place. It has a few cells, one per recent window, so that a request which
// began just before a window's end still counts there while others count in the next. The main
// thread writes what is leased before the total, and workers read the total first: a worker never
// sees a total that its lease is not yet part of.

import { judge, type Verdict } from './quota-arithmetic.ts';

export type BoardLimit = { readonly slot: number; readonly windowMs: number; readonly cap: number };

export type Cell = {
  /** Admitted by this node. */
  readonly used: number;
  /** Leased by this node. */
  readonly granted: number;
  /** Leased by all nodes, as this node knows. */
  readonly total: number;
};

export class QuotaBoard {
  readonly #words: Uint32Array;
  readonly slotCount: number;

  constructor(memory: SharedArrayBuffer) {
    this.#words = new Uint32Array(memory);
    this.slotCount = Math.floor(this.#words.length / SLOT_WORDS);
  }

  /** What taking `amount` from the limit's window would come to, without taking it. */
  judge(limit: BoardLimit, amount: number, nowMs: number): Verdict {
    const words = this.#words;
    const at = cellAt(limit, nowMs);
    if (Atomics.load(words, at + TAG) !== tagOf(limit, nowMs)) return 'needs-lease';
    const total = Atomics.load(words, at + TOTAL);
    const granted = Atomics.load(words, at + GRANTED);
    return judge(Atomics.load(words, at + USED), granted, total, amount, limit.cap);
  }

  /** False, and nothing taken, when it no longer fits because another thread was faster. */
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

  /** Main thread only. The window's cell, opened if it was another window's. */
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

/** Room for some 20,000 keys with both caps and their tenants; 4 MiB, touched only where used. */
const SLOTS_MAX = 65_536;

const TAG = 0;
const USED = 1;
const GRANTED = 2;
const TOTAL = 3;
const CELL_WORDS = 4;
/** A power of two. No request lasts for three windows, so a cell is not re-used under its hands. */
const CELLS = 4;
const SLOT_WORDS = CELLS * CELL_WORDS;
const WORD_MAX = 2 ** 32 - 1;
const NO_WINDOW = 0;

function windowOf(limit: BoardLimit, atMs: number): number {
  return Math.max(0, Math.floor(atMs / limit.windowMs));
}

/** Never NO_WINDOW. */
function tagOf(limit: BoardLimit, atMs: number): number {
  return windowOf(limit, atMs) + 1;
}

function cellAt(limit: BoardLimit, atMs: number): number {
  return limit.slot * SLOT_WORDS + (windowOf(limit, atMs) % CELLS) * CELL_WORDS;
}
