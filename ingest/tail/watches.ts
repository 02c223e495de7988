// The main thread's side of the live view: the watched workspaces, each with a ring of the latest
// samples of all threads. A watch is a lease: a poll for a workspace keeps it watched for some
// seconds more, so that a client that died leaves nothing behind.

import { randomUUID } from 'node:crypto';
import type { TailAnswer, TailCounts } from '../../schema/values/tail.ts';
import type { Clock } from '../clock.ts';
import {
  TAIL_ASKERS_MAX,
  TAIL_HOLD_MS,
  TAIL_LEASE_MS,
  TAIL_RING_BYTES_MAX,
  TAIL_RING_ENTRIES_MAX,
  TAIL_WATCHES_MAX,
} from './tail-limits.ts';
import { sumOf, type Tapped } from './tap.ts';

type WatchesDeps = {
  readonly threads: number;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  /** Sends the list to every thread. */
  readonly onChange: (workspaceIds: readonly string[], revision: number) => void;
};

type Ringed = { readonly number: number; readonly text: string; readonly bytes: number };

type Watch = {
  /** Distinguishes this watch from an earlier one and from those of other processes. */
  readonly name: string;
  /** The first revision of the list with this watch. Threads confirm the revision they use. */
  readonly revision: number;
  untilMs: number;
  counts: TailCounts;
  ring: Ringed[];
  ringBytes: number;
  /** The number of the next entry. */
  nextNumber: number;
  readonly askers: Set<Asker>;
};

type Asker = { readonly after: number | undefined; readonly answer: () => void };

const LOOK_INTERVAL_MS = 1_000;

export class Watches {
  readonly #deps: WatchesDeps;
  readonly #watches = new Map<string, Watch>();
  readonly #revisions: number[];
  #revision = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: WatchesDeps) {
    this.#deps = deps;
    this.#revisions = Array.from({ length: deps.threads }, () => 0);
  }

  get size(): number {
    return this.#watches.size;
  }

  /**
   * Returns the entries after the cursor of an earlier response, as JSON. Without a cursor, or with
   * a cursor from another watch, returns only a cursor to continue from. Resolves as soon as there
   * are entries, or after a moment. Undefined if too many workspaces are watched.
   */
  async ask(workspaceId: string, cursor: string): Promise<string | undefined> {
    const watch = this.#watches.get(workspaceId) ?? this.#open(workspaceId);
    if (watch === undefined) return undefined;
    watch.untilMs = this.#deps.clock.monotonicMs() + TAIL_LEASE_MS;
    const after = numberOf(cursor, watch);
    if (!this.#hasAnswer(watch, after) && watch.askers.size < TAIL_ASKERS_MAX)
      await untilAnswered(watch, after);
    return answerOf(watch, after);
  }

  receive(thread: number, { revision, taken }: Tapped): void {
    this.#revisions[thread] = revision;
    for (const { workspaceId, counts, entries } of taken) {
      const watch = this.#watches.get(workspaceId);
      // The watch has ended, or has been started again in the meantime.
      if (watch === undefined || watch.revision > revision) continue;
      watch.counts = sumOf(watch.counts, counts);
      for (const entry of entries) add(watch, entry);
    }
    for (const watch of this.#watches.values())
      for (const asker of watch.askers) if (this.#hasAnswer(watch, asker.after)) asker.answer();
  }

  /** The poll has ended. */
  stop(): void {
    clearInterval(this.#timer);
    for (const { askers } of this.#watches.values()) for (const asker of askers) asker.answer();
  }

  #open(workspaceId: string): Watch | undefined {
    if (this.#watches.size >= TAIL_WATCHES_MAX) return undefined;
    const watch: Watch = {
      name: randomUUID(),
      revision: this.#revision + 1,
      untilMs: 0,
      counts: { accepted: 0, duplicates: 0, rejected: 0 },
      ring: [],
      ringBytes: 0,
      nextNumber: 0,
      askers: new Set(),
    };
    this.#watches.set(workspaceId, watch);
    this.#tellThreads();
    this.#timer ??= setInterval(() => this.#endLeases(), LOOK_INTERVAL_MS);
    return watch;
  }

  #endLeases(): void {
    const nowMs = this.#deps.clock.monotonicMs();
    const ended = [...this.#watches].filter(([, { untilMs }]) => untilMs < nowMs);
    for (const [workspaceId] of ended) this.#watches.delete(workspaceId);
    if (ended.length > 0) this.#tellThreads();
    if (this.#watches.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #tellThreads(): void {
    this.#revision++;
    this.#deps.onChange([...this.#watches.keys()], this.#revision);
  }

  /** Responds to first polls once all threads have confirmed, so that no later entry is missed. */
  #hasAnswer(watch: Watch, after: number | undefined): boolean {
    if (after !== undefined) return watch.nextNumber > after;
    return this.#revisions.every(revision => revision >= watch.revision);
  }
}

function add(watch: Watch, text: string): void {
  const bytes = Buffer.byteLength(text);
  watch.ring.push({ number: watch.nextNumber++, text, bytes });
  watch.ringBytes += bytes;
  let excess = 0;
  while (
    watch.ring.length - excess > TAIL_RING_ENTRIES_MAX ||
    watch.ringBytes > TAIL_RING_BYTES_MAX
  )
    watch.ringBytes -= watch.ring[excess++]!.bytes;
  if (excess > 0) watch.ring.splice(0, excess);
}

function untilAnswered(watch: Watch, after: number | undefined): Promise<void> {
  return new Promise(resolve => {
    const answer = () => {
      clearTimeout(timer);
      watch.askers.delete(asker);
      resolve();
    };
    const timer = setTimeout(answer, TAIL_HOLD_MS);
    const asker = { after, answer };
    watch.askers.add(asker);
  });
}

/** Undefined for a cursor from another watch. */
function numberOf(cursor: string, { name, nextNumber }: Watch): number | undefined {
  const [ofName, text] = cursor.split('.', 2);
  const number = Number(text);
  return ofName === name && Number.isInteger(number) && number >= 0 && number <= nextNumber
    ? number
    : undefined;
}

function answerOf({ name, nextNumber, counts, ring }: Watch, after: number | undefined): string {
  const found = after === undefined ? [] : ring.filter(({ number }) => number >= after);
  const facts: Omit<TailAnswer, 'entries'> = {
    cursor: `${name}.${nextNumber}`,
    isNew: after === undefined,
    ...counts,
  };
  const head = JSON.stringify(facts);
  return `${head.slice(0, -1)},"entries":[${found.map(({ text }) => text).join(',')}]}`;
}
