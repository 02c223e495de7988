// The queues of a page and their senders. The queues are stored and shared by the tabs of the site; only one tab
// sends at a time.

import type { Pace } from '../core/decide.ts';
import type { Ids } from '../core/ids.ts';
import { Pipeline } from '../core/pipeline.ts';
import type { OnProblem } from '../core/problem.ts';
import { Sender } from '../core/sender.ts';
import { createPost } from '../core/transport.ts';
import { Database, type StoreName } from './database.ts';
import { exclusively } from './exclusively.ts';
import { type Leaving, leave, onLeave, restoreUnsaved } from './leave.ts';
import type { LocalStore } from './local-store.ts';
import { StoredQueue } from './stored-queue.ts';

/** The minimum size that the service recommends. */
const BATCH_SIZE = 50;
/** Long enough to send the events of one action as one batch. */
const FLUSH_AFTER_MS = 2_000;

export type PagePipelineDeps = {
  readonly writeKey: string;
  readonly host: string;
  readonly store: LocalStore;
  readonly ids: Ids;
  readonly onProblem: OnProblem;
  /** The person may have decided in another tab. */
  readonly hasConsent: () => boolean;
};

export class PagePipeline {
  readonly pipeline: Pipeline;
  private readonly senders: readonly Sender[];
  private readonly leaving: Leaving;
  private readonly database: Database;
  private readonly hasConsent: () => boolean;
  private isStarted = false;

  constructor(deps: PagePipelineDeps) {
    const { writeKey, host, store } = deps;
    const post = createPost(host, writeKey);
    const database = new Database(`engagement:${writeKey}`);
    const lane = (name: StoreName, batchSize: number) => {
      const queue = new StoredQueue(database, name, deps.onProblem);
      const pace = {
        read: () => store.get<Pace>(`pace:${name}`),
        write: (next: Pace) => store.set(`pace:${name}`, next),
      };
      const lock = exclusively(`engagement:${writeKey}:${name}`);
      const timing = { batchSize, flushAfterMs: FLUSH_AFTER_MS };
      return [
        queue,
        new Sender({ ...deps, queue, post, pace, exclusively: lock, ...timing }),
      ] as const;
    };
    const [queue, sender] = lane('events', BATCH_SIZE);
    // There are few reports, and later requests may depend on them.
    const [reports, reporter] = lane('reports', 1);
    this.senders = [sender, reporter];
    this.pipeline = new Pipeline({ ...deps, events: sender, reports: reporter });
    this.hasConsent = deps.hasConsent;
    this.leaving = { queue, reports, sender, post, writeKey, host, store };
    this.database = database;
  }

  /** Sends the entries of earlier pages, and watches for changes of this page's visibility and network. */
  start(): void {
    if (this.isStarted) return;
    this.isStarted = true;
    const { leaving } = this;
    const sent = new Set<string>();
    onLeave(() => {
      if (this.hasConsent()) leave(leaving, sent);
    });
    addEventListener('online', () => {
      for (const sender of this.senders) sender.hurry();
    });
    void restoreUnsaved(leaving).then(() => this.pipeline.flush());
  }

  /** Deletes all waiting entries, in this tab and in the others. */
  clear(): void {
    const { queue, reports, store } = this.leaving;
    store.remove('unsaved');
    queue.forget();
    reports.forget();
    this.database.delete();
  }
}
