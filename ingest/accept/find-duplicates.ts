// Which events of a batch need not be stored: their message id came earlier in the batch, or this
// node has lately put it on disk for the workspace. The first copy wins.

import type { Account } from '../authenticate/directory.ts';
import { type BatchEvents, MESSAGE_ID } from './batch-events.ts';
import { fingerprint } from './fingerprint.ts';
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
    if (events.problem(event) !== undefined) continue;
    printMessageId(events, event, recent.seed, prints);
    for (let i = 0; i < FINGERPRINT_WORDS; i++)
      prints[event * FINGERPRINT_WORDS + i]! ^= workspace[i]!;
    if (recent.has(prints, event * FINGERPRINT_WORDS) || isEarlier(events, prints, event)) {
      isDuplicate[event] = 1;
      count++;
    }
  }
  return { prints, isDuplicate, count };
}

function printMessageId(
  events: BatchEvents,
  event: number,
  seed: number,
  prints: Int32Array,
): void {
  const at = event * FINGERPRINT_WORDS;
  const decoded = events.decodedText(event, MESSAGE_ID);
  if (decoded === undefined) {
    const start = events.start(event, MESSAGE_ID);
    fingerprint(events.bytes, start, events.end(event, MESSAGE_ID), seed, prints, at);
  } else {
    const bytes = Buffer.from(decoded);
    fingerprint(bytes, 0, bytes.length, seed, prints, at);
  }
}

/** At most 100 events: comparing a word of each is cheaper than any index. */
function isEarlier(events: BatchEvents, prints: Int32Array, event: number): boolean {
  const at = event * FINGERPRINT_WORDS;
  for (let other = 0; other < event; other++) {
    if (!isSamePrint(prints, other * FINGERPRINT_WORDS, prints, at)) continue;
    if (events.problem(other) === undefined) return true;
  }
  return false;
}

const workspacePrints = new WeakMap<IdOwner, Int32Array>();

/** Ids are unique within a workspace only, so all bits of the workspace go into their prints. */
function workspacePrint(owner: IdOwner, nodeSeed: number): Int32Array {
  let print = workspacePrints.get(owner);
  if (print === undefined) {
    print = new Int32Array(FINGERPRINT_WORDS);
    fingerprint(owner.workspaceIdBytes, 0, 16, nodeSeed, print, 0);
    workspacePrints.set(owner, print);
  }
  return print;
}
