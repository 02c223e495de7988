// The live feed of one workspace in this process. All subscribers share it, and it runs only while
// it has subscribers.

import type { Logger } from 'pino';
import type { Config, IngestConfig } from '../../platform/config.ts';
import type { Database } from '../../platform/database/database.ts';
import { repeat } from '../../platform/jobs/repeat.ts';
import { followIngest, type IngestNews } from './follow-ingest.ts';
import type { LiveCounts, LiveItem } from './live-item.ts';
import { createLook, type RecordsOf } from './look-at-records.ts';
import type { Subscriber } from './subscriber.ts';

type FeedDeps = {
  readonly database: Database;
  readonly clock: { nowMs(): number };
  readonly log: Logger;
  readonly config: Pick<Config, 'ingest' | 'ingestNodeUrls'>;
};

/** Each interval runs two small Postgres queries. */
const LOOK_INTERVAL_MS = 500;
const RETRY_MS_MAX = 5_000;
const COUNTS_INTERVAL_MS = 1_000;
/** Counts are also sent after this many intervals without items, as a heartbeat. */
const QUIET_INTERVALS_MAX = 10;

type Counted = Omit<LiveCounts, 'kind' | 'at' | 'isIngestAnswering'>;
const NOTHING: Counted = {
  accepted: 0,
  duplicates: 0,
  rejected: 0,
  notShown: 0,
  deliveries: 0,
  deliveriesNotShown: 0,
};

export class Feed {
  readonly subscribers = new Set<Subscriber>();
  readonly #deps: FeedDeps;
  readonly #whose: RecordsOf;
  readonly #ending = new AbortController();
  #counted = NOTHING;
  #quietIntervals = 0;
  /** Whether each ingest node responds, by URL. Nodes without a first response or failure are
   * missing. */
  readonly #isAnswering = new Map<string, boolean>();
  #hasLooked = false;

  constructor(deps: FeedDeps, whose: RecordsOf) {
    this.#deps = deps;
    this.#whose = whose;
  }

  start(): void {
    const { ingest, ingestNodeUrls } = this.#deps.config;
    const { signal } = this.#ending;
    if (ingest !== undefined)
      for (const url of ingestNodeUrls) void this.#follow({ url, token: ingest.token });
    void this.#lookAtRecords(signal);
    const timer = setInterval(() => this.#tellCounts('where there are any'), COUNTS_INTERVAL_MS);
    signal.addEventListener('abort', () => clearInterval(timer));
  }

  /** Counts restart when a subscriber joins. It receives its first counts once the feed is
   * ready. */
  add(subscriber: Subscriber): void {
    if (this.subscribers.size > 0 && this.#counted !== NOTHING) this.#tellCounts('always');
    this.subscribers.add(subscriber);
    if (this.#isReady()) subscriber.give(this.#counts());
  }

  stop(): void {
    this.#ending.abort();
    for (const subscriber of this.subscribers) subscriber.end();
  }

  #follow(node: IngestConfig): Promise<void> {
    return followIngest({
      ingest: node,
      workspaceId: this.#whose.workspaceId,
      signal: this.#ending.signal,
      onNews: news => {
        this.#setAnswering(node.url, true);
        this.#showEvents(news);
      },
      onAway: error => {
        if (this.#isAnswering.get(node.url) !== false)
          this.#deps.log.warn(
            { reason: error.message },
            'could not read live events from ingest, retrying',
          );
        this.#setAnswering(node.url, false);
      },
    });
  }

  #setAnswering(url: string, isAnswering: boolean): void {
    const before = this.#isAnswering.get(url);
    this.#isAnswering.set(url, isAnswering);
    if (before !== isAnswering) this.#tellCounts('always');
  }

  #setLooked(): void {
    if (this.#hasLooked) return;
    this.#hasLooked = true;
    this.#tellCounts('always');
  }

  /** Every node has responded or failed, and the first Postgres query has completed or failed. */
  #isReady(): boolean {
    return this.#hasLooked && this.#isAnswering.size === this.#deps.config.ingestNodeUrls.length;
  }

  #showEvents({ entries, accepted, duplicates, rejected, notShown }: IngestNews): void {
    this.#count({ ...NOTHING, accepted, duplicates, rejected, notShown });
    for (const entry of entries) {
      const { refusal } = entry;
      if (refusal === undefined) this.#show({ ...entry, kind: 'EVENT' });
      else this.#show({ ...entry, refusal, kind: 'REJECTED_EVENT' });
    }
  }

  #lookAtRecords(signal: AbortSignal): Promise<void> {
    const look = createLook(this.#deps, this.#whose);
    const work = async () => {
      const { gatewayEvents, deliveries, deliveriesNotShown } = await look();
      const seen = deliveries.length + deliveriesNotShown;
      this.#count({ ...NOTHING, deliveries: seen, deliveriesNotShown });
      for (const item of [...gatewayEvents, ...deliveries]) this.#show(item);
      this.#setLooked();
      return 'wait' as const;
    };
    return repeat(work, {
      intervalMs: LOOK_INTERVAL_MS,
      retryMsMax: RETRY_MS_MAX,
      signal,
      onFailure: (error, failures) => {
        const reason = error instanceof Error ? error.message : String(error);
        this.#deps.log.warn({ reason, failures }, 'live view query failed, retrying');
        this.#setLooked();
      },
    });
  }

  #show(item: LiveItem): void {
    for (const subscriber of this.subscribers) subscriber.give(item);
  }

  #count(more: Counted): void {
    const names = Object.keys(NOTHING) as (keyof Counted)[];
    if (names.every(name => more[name] === 0)) return;
    const sums = names.map(name => [name, this.#counted[name] + more[name]]);
    this.#counted = Object.fromEntries(sums) as Counted;
  }

  #tellCounts(when: 'always' | 'where there are any'): void {
    this.#quietIntervals++;
    const isQuiet = this.#counted === NOTHING && this.#quietIntervals < QUIET_INTERVALS_MAX;
    if (!this.#isReady() || (when === 'where there are any' && isQuiet)) return;
    this.#quietIntervals = 0;
    const counts = this.#counts();
    this.#counted = NOTHING;
    this.#show(counts);
  }

  #counts(): LiveCounts {
    const answering = [...this.#isAnswering.values()];
    return {
      kind: 'COUNTS',
      at: new Date(this.#deps.clock.nowMs()),
      ...this.#counted,
      isIngestAnswering: answering.length > 0 && answering.every(Boolean),
    };
  }
}
