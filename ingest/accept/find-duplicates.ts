// Finds the events of a batch that need not be stored: their message ID appeared earlier in the
// batch, or this node recently wrote it to disk for the workspace. The first copy is stored.

import { createHash } from 'node:crypto';
import type { Account } from '../authenticate/directory.ts';
import type { BatchEvents } from './batch-events.ts';
import { FINGERPRINT_WORDS, isSamePrint, type RecentIds } from './recent-ids.ts';

/** The workspace of the message IDs. */
type IdOwner = Pick<Account, 'workspaceIdBytes'>;

export type Duplicates = {
  /** One fingerprint per event; zeros for a rejected event. */
  readonly prints: Int32Array;
  /** 1 for an event that is a duplicate. */
  readonly isDuplicate: Uint8Array;
  readonly count: number;
};

export function findDuplicates(events: BatchEvents, owner: IdOwner, recent: RecentIds): Duplicates {
  const prints = printsOf(events, workspacePrint(owner, recent.seed));
  const isDuplicate = new Uint8Array(events.count);
  places.fill(NOBODY);
  let count = 0;
  for (let event = 0; event < events.count; event++) {
    if (events.isRefused(event)) continue;
    if (recent.has(prints, event * FINGERPRINT_WORDS) || isRepeated(prints, event)) {
      isDuplicate[event] = 1;
      count++;
    }
  }
  return { prints, isDuplicate, count };
}

function printsOf(events: BatchEvents, workspace: Int32Array): Int32Array {
  const prints = new Int32Array(events.count * FINGERPRINT_WORDS);
  for (let event = 0; event < events.count; event++) {
    if (events.isRefused(event)) continue;
    for (let i = 0; i < FINGERPRINT_WORDS; i++)
      prints[event * FINGERPRINT_WORDS + i] = events.messageIdPrint(event, i) ^ workspace[i]!;
  }
  return prints;
}

const NOBODY = -1;
/** A hash table of the fingerprints of one batch, less than half full. */
const places = new Int16Array(256);

/** Whether an earlier event has the same fingerprint. Otherwise inserts it. */
function isRepeated(prints: Int32Array, event: number): boolean {
  const at = event * FINGERPRINT_WORDS;
  let place = prints[at]! & (places.length - 1);
  for (let other = places[place]!; other !== NOBODY; other = places[place]!) {
    if (isSamePrint(prints, other * FINGERPRINT_WORDS, prints, at)) return true;
    place = (place + 1) & (places.length - 1);
  }
  places[place] = event;
  return false;
}

const workspacePrints = new WeakMap<IdOwner, Int32Array>();

/**
 * Message IDs are unique within a workspace only, so all bits of the workspace ID are part of the
 * fingerprint. The node's random seed prevents senders from crafting collisions with the IDs of
 * another workspace.
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
