// The message IDs that this node recently wrote to disk, shared by its threads. A retry of one of
// them is acknowledged without being stored again. This only saves work for the warehouse; the
// table guarantees uniqueness. IDs are added after the fsync, never before, so every ID in it is on
// disk. The size is bounded: a new ID replaces another one in its bucket.

import { RECENT_IDS_MAX } from '../limits.ts';

/** A 128-bit fingerprint, as four 32-bit words in a flat array. */
export const FINGERPRINT_WORDS = 4;
const SLOTS_PER_BUCKET = 4;
const WORDS_PER_BUCKET = SLOTS_PER_BUCKET * FINGERPRINT_WORDS;

/**
 * Shared by the threads of a node: the table, and a random seed that prevents crafted collisions.
 */
export type RecentIdsMemory = { readonly words: SharedArrayBuffer; readonly seed: number };

export function createRecentIdsMemory(seed: number, idsMax = RECENT_IDS_MAX): RecentIdsMemory {
  return { words: new SharedArrayBuffer(idsMax * FINGERPRINT_WORDS * 4), seed };
}

export class RecentIds {
  readonly seed: number;
  private readonly words: Int32Array;
  private readonly bucketMask: number;
  private turn = 0;

  constructor(memory: RecentIdsMemory) {
    this.seed = memory.seed;
    this.words = new Int32Array(memory.words);
    this.bucketMask = this.words.length / WORDS_PER_BUCKET - 1;
  }

  has(prints: Int32Array, at: number): boolean {
    const { words } = this;
    const bucket = (prints[at]! & this.bucketMask) * WORDS_PER_BUCKET;
    for (let slot = bucket; slot < bucket + WORDS_PER_BUCKET; slot += FINGERPRINT_WORDS) {
      if (isSamePrint(words, slot, prints, at)) return true;
    }
    return false;
  }

  /** Call only after the event is durable. */
  add(prints: Int32Array, at: number): void {
    if (this.has(prints, at)) return;
    const bucket = (prints[at]! & this.bucketMask) * WORDS_PER_BUCKET;
    const slot = bucket + (this.turn++ % SLOTS_PER_BUCKET) * FINGERPRINT_WORDS;
    for (let i = 0; i < FINGERPRINT_WORDS; i++) this.words[slot + i] = prints[at + i]!;
  }
}

/** The fingerprint of a rejected event. */
export function isBlank(prints: Int32Array, at: number): boolean {
  return (prints[at]! | prints[at + 1]! | prints[at + 2]! | prints[at + 3]!) === 0;
}

export function isSamePrint(a: Int32Array, atA: number, b: Int32Array, atB: number): boolean {
  return (
    a[atA] === b[atB] &&
    a[atA + 1] === b[atB + 1] &&
    a[atA + 2] === b[atB + 2] &&
    a[atA + 3] === b[atB + 3]
  );
}
