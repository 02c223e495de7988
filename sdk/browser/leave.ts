// Handles a page that may be closing. Events that are known to be unsent are sent in a request that outlives
// the page, and events that IndexedDB has not stored yet are written to `localStorage`, which is synchronous.
// All of them stay in the queue until a response confirms that they are stored.

import { batchBody, cutBatch } from '../core/cut-batch.ts';
import { decide, FIRST_PACE } from '../core/decide.ts';
import type { Entry } from '../core/entry.ts';
import { BATCH_EVENTS_MAX, LEAVING_BYTES_MAX } from '../core/limits.ts';
import type { Sender } from '../core/sender.ts';
import type { Post } from '../core/transport.ts';
import type { LocalStore } from './local-store.ts';
import type { StoredQueue } from './stored-queue.ts';

const UNSAVED = 'unsaved';
const BATCH_PATH = '/v1/batch';

export type Leaving = {
  readonly queue: StoredQueue;
  readonly reports: StoredQueue;
  readonly sender: Sender;
  readonly post: Post;
  readonly writeKey: string;
  readonly host: string;
  readonly store: LocalStore;
};

/** Calls `leave` when the page is hidden, which may be the last event that the page receives. */
export function onLeave(leave: () => void): void {
  addEventListener('pagehide', leave);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') leave();
  });
}

/** `sent`: the keys of the entries that this page has sent in this way. The function adds to it. */
export function leave(leaving: Leaving, sent: Set<string>): void {
  const { queue, reports, sender, store } = leaving;
  const unsaved = [...queue.unsaved, ...reports.unsaved];
  if (unsaved.length > 0)
    store.set(UNSAVED, [...(store.get<readonly Entry[]>(UNSAVED) ?? []), ...unsaved]);
  if (sender.isPaused()) return;
  const left = [...queue.recent.values()].filter(({ key }) => !sent.has(key));
  const limits = { eventsMax: BATCH_EVENTS_MAX, bodyBytesMax: LEAVING_BYTES_MAX };
  const entries = cutBatch(left, limits);
  if (entries.length === 0) return;
  for (const { key } of entries) sent.add(key);
  void sendLast(leaving, entries);
}

/** Queues the entries that an earlier page could not store before it was closed. */
export async function restoreUnsaved({ queue, reports, store }: Leaving): Promise<void> {
  const entries = store.get<readonly Entry[]>(UNSAVED) ?? [];
  if (entries.length === 0) return;
  for (const entry of entries) (entry.path === BATCH_PATH ? queue : reports).add(entry);
  // Both queues store all added entries before they are read.
  await Promise.all([queue.take(0), reports.take(0)]);
  const restored = new Set(entries.map(({ key }) => key));
  const others = (store.get<readonly Entry[]>(UNSAVED) ?? []).filter(
    ({ key }) => !restored.has(key),
  );
  if (others.length === 0) store.remove(UNSAVED);
  else store.set(UNSAVED, others);
}

async function sendLast(leaving: Leaving, entries: readonly Entry[]): Promise<void> {
  const { sender, post, writeKey, host } = leaving;
  const nowMs = Date.now();
  const body = batchBody(entries, writeKey, nowMs);
  if (!('keepalive' in Request.prototype)) {
    navigator.sendBeacon(host + BATCH_PATH, body);
    return;
  }
  const answer = await post({ path: BATCH_PATH, body, isLeaving: true });
  const decision = decide(answer, entries.length, FIRST_PACE, { nowMs, random: 0 });
  // After a failure, the sender tries again.
  if (decision.action === 'remove') await sender.settle(entries, decision);
}
