// The state of the approvers, in memory only.

import type { Judgement } from './judge.ts';

export type HeldTemplate = {
  readonly id: string;
  readonly channel: 'messaging_app' | 'sms';
  readonly name: string;
  readonly language: string;
  readonly category: string;
  readonly judgement: Judgement;
  status: string;
  reason: string | null;
  pauses: number;
};

export type Store = {
  readonly templates: Map<string, HeldTemplate>;
  readonly requests: { readonly call: string; readonly body: string }[];
  readonly faults: { readonly on: string; readonly kind: FaultKind; left: number }[];
  readonly nextId: () => string;
  /** Returns a number from 0 to 1. The sequence is determined by the seed. */
  readonly random: () => number;
};

/**
 * DROP_AFTER handles the call but closes the connection without a response; the others do nothing.
 */
export type FaultKind = 'DROP_AFTER' | 'ERROR' | 'RATE_LIMIT' | 'DENIED';

/** Above the range that a double holds exactly, as the platform's IDs may be. */
const FIRST_ID = 9_007_199_254_741_993n;

export function createStore(seed: number): Store {
  let id = FIRST_ID;
  let state = seed;
  return {
    templates: new Map(),
    requests: [],
    faults: [],
    nextId() {
      id += 2n;
      return String(id);
    },
    random() {
      // mulberry32
      state = (state + 0x6d2b79f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    },
  };
}

export function keyOf(channel: HeldTemplate['channel'], name: string, language: string): string {
  return channel === 'sms' ? `${channel} ${name}` : `${channel} ${name} ${language}`;
}
