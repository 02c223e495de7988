// Which events of a batch need not be stored: their message id came earlier in the batch, or this
// node has lately put it on disk for the workspace. The first copy wins.

import { createHash } from 'node:crypto';
import type { Account } from '../authenticate/directory.ts';
import type { BatchEvents } from './batch-events.ts';
import { FINGERPRINT_WORDS, isSamePrint, type RecentIds } from './recent-ids.ts';

/** Whose ids they are. */
export type IdOwner = Pick<Account, 'workspaceIdBytes'>;

export type Duplicates = {
  /** One fingerprint an event, refused ones excepted (zeros). */
  readonly prints: Int32Array;
  /** 1 for an event that is a duplicate. */
  readonly isDuplicate: Uint8Array;
  readonly count: number;
};

export function findDuplicates(events: BatchEvents, owner: IdOwner, recent: RecentIds): Duplicates {
  const prints = new Int32Array(events.count * FINGERPRINT_WORDS);
  const isDuplicate = new Uint8Array(events.count);
  const workspace = workspacePrint(owner, recent.seed);
  let count = 0;
  for (let event = 0; event < events.count; event++) {
    if (events.isRefused(event)) continue;
    const at = event * FINGERPRINT_WORDS;
    for (let i = 0; i < FINGERPRINT_WORDS; i++)
      prints[at + i] = events.messageIdPrint(event, i) ^ workspace[i]!;
    if (recent.has(prints, at) || isEarlier(events, prints, event)) {
      isDuplicate[event] = 1;
      count++;
    }
  }
  return { prints, isDuplicate, count };
}

/** At most 100 events: comparing a word of each is cheaper than any index. */
function isEarlier(events: BatchEvents, prints: Int32Array, event: number): boolean {
  const at = event * FINGERPRINT_WORDS;
  for (let other = 0; other < event; other++) {
    if (!isSamePrint(prints, other * FINGERPRINT_WORDS, prints, at)) continue;
    if (!events.isRefused(other)) return true;
  }
  return false;
}

const workspacePrints = new WeakMap<IdOwner, Int32Array>();

/**
 * Ids are unique within a workspace only, so all bits of the workspace go into their prints. The
 * node's seed makes it unknown to senders, so that nobody can aim at the ids of another workspace.
 */
function workspacePrint(owner: IdOwner, nodeSeed: number): Int32Array {
  let print = workspacePrints.get(owner);
  if (print === undefined) {
    const hash = createHash('sha256').update(`${nodeSeed}:`).update(owner.workspaceIdBytes);
    print = new Int32Array(new Uint8Array(hash.digest()).buffer, 0, FINGERPRINT_WORDS);
    workspacePrints.set(owner, print);
  }
  return print;
}
