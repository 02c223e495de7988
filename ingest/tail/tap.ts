// A worker thread's side of the live view. For a workspace that is not watched, as almost all are
// not, a batch costs one map lookup. For a watched workspace all events are counted and some are
// sampled. Samples are taken before the commit, while the batch is in memory, and sent only after
// it, so that the view shows only data on disk.

import type { Problem } from '../../schema/values/problem.ts';
import type { TailCounts, TailEntry } from '../../schema/values/tail.ts';
import type { AcceptedBatch } from '../accept/accept-batch.ts';
import type { BatchEvents } from '../accept/batch-events.ts';
import type { ParsedObject } from '../accept/parse-object.ts';
import type { SdkRequest } from '../sdk-request.ts';
import { entryOfEvent, entryOfReport, type TailSender } from './entry.ts';
import { TAIL_ENTRIES_PER_SECOND, TAIL_TELL_INTERVAL_MS } from './tail-limits.ts';

/** The samples of one workspace since the thread last sent any. */
export type Taken = {
  readonly workspaceId: string;
  readonly counts: TailCounts;
  /** Each as JSON text, which is passed on unchanged. */
  readonly entries: readonly string[];
};

/** `revision`: the version of the list of watched workspaces that the thread uses. */
export type Tapped = { readonly revision: number; readonly taken: readonly Taken[] };

/** The sampler of a workspace; undefined if the workspace is not watched. */
export type Taps = { readonly of: (workspaceId: string) => Sampler | undefined };

/** The samples of each kind between two messages. */
const ENTRIES_MAX = (TAIL_ENTRIES_PER_SECOND * TAIL_TELL_INTERVAL_MS) / 1_000;

export class Tap implements Taps {
  readonly #samplers = new Map<string, Sampler>();
  readonly #tell: (tapped: Tapped) => void;
  #revision = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(tell: (tapped: Tapped) => void) {
    this.#tell = tell;
  }

  of(workspaceId: string): Sampler | undefined {
    return this.#samplers.get(workspaceId);
  }

  /** Applies the list from now on and confirms it to the main thread. */
  watch(workspaceIds: readonly string[], revision: number): void {
    const watched = new Set(workspaceIds);
    for (const id of this.#samplers.keys()) if (!watched.has(id)) this.#samplers.delete(id);
    for (const id of watched) if (!this.#samplers.has(id)) this.#samplers.set(id, new Sampler());
    this.#revision = revision;
    this.#tell({ revision, taken: [] });
    if (watched.size === 0) this.stop();
    else this.#timer ??= setInterval(() => this.#tellTaken(), TAIL_TELL_INTERVAL_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #tellTaken(): void {
    const taken: Taken[] = [];
    for (const [workspaceId, sampler] of this.#samplers) {
      const one = sampler.take();
      if (one !== undefined) taken.push({ workspaceId, ...one });
    }
    if (taken.length > 0) this.#tell({ revision: this.#revision, taken });
  }
}

/** Call with the outcome once the batch is on disk. */
type Settle<Outcome> = (outcome: Outcome) => void;

const NOTHING: TailCounts = { accepted: 0, duplicates: 0, rejected: 0 };

export class Sampler {
  #counts = NOTHING;
  #entries: TailEntry[] = [];
  #room = { accepted: ENTRIES_MAX, rejected: ENTRIES_MAX };

  /** The first events of a batch for which there is room, accepted and rejected. */
  sampleBatch(events: BatchEvents, sender: TailSender): Settle<AcceptedBatch> {
    const entries: TailEntry[] = [];
    const room = this.#room;
    for (let event = 0; event < events.count && room.accepted + room.rejected > 0; event++) {
      const kind = events.problem(event) === undefined ? 'accepted' : 'rejected';
      if (room[kind] === 0) continue;
      room[kind]--;
      entries.push(entryOfEvent(events, event, sender));
    }
    return ({ accepted, duplicates, rejected }) =>
      this.#note({ accepted, duplicates, rejected: rejected.length }, entries);
  }

  /** Samples the report of a request. Call once it is on disk. */
  noteReport(
    body: ParsedObject,
    endpoint: string,
    { account, receivedAtMs }: SdkRequest,
    problem: Problem | undefined,
  ): void {
    const kind = problem === undefined ? 'accepted' : 'rejected';
    const hasRoom = this.#room[kind] > 0;
    if (hasRoom) this.#room[kind]--;
    const sender = { endpoint, keyId: account.keyId, receivedAtMs };
    this.#note({ ...NOTHING, [kind]: 1 }, hasRoom ? [entryOfReport(body, sender, problem)] : []);
  }

  /** The samples since the last call; undefined if there are none. */
  take(): Omit<Taken, 'workspaceId'> | undefined {
    const [counts, entries] = [this.#counts, this.#entries];
    this.#room = { accepted: ENTRIES_MAX, rejected: ENTRIES_MAX };
    if (counts === NOTHING) return undefined;
    this.#counts = NOTHING;
    this.#entries = [];
    return { counts, entries: entries.map(entry => JSON.stringify(entry)) };
  }

  #note(counts: TailCounts, entries: readonly TailEntry[]): void {
    this.#counts = sumOf(this.#counts, counts);
    this.#entries.push(...entries);
  }
}

export function sumOf(a: TailCounts, b: TailCounts): TailCounts {
  return {
    accepted: a.accepted + b.accepted,
    duplicates: a.duplicates + b.duplicates,
    rejected: a.rejected + b.rejected,
  };
}
