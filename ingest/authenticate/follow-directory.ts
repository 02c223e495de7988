// Keeps the directory in memory in sync with Postgres, on the main thread: `look` loads what has
// changed. Requests never wait for Postgres. While Postgres is unavailable, the last known directory
// stays in use indefinitely, and a process that starts in that time loads it from a snapshot on disk.

import type { Log } from '../postgres/postgres-link.ts';
import type { Transactions } from '../postgres/transactions.ts';
import { type DirectoryChange, type DirectoryData, rowsOf } from './directory-data.ts';
import { pruneRevisions, REVISION_ROWS_MAX, readRevision } from './directory-revision.ts';
import { readSnapshot, SNAPSHOT_AGE_MAX_MS } from './directory-snapshot.ts';
import { DirectoryTables, isEmpty } from './directory-tables.ts';
import {
  EVERYTHING,
  type LastLoad,
  LOAD,
  type LoadedDirectory,
  loadDirectory,
} from './load-directory.ts';
import { DirectorySaver } from './save-directory.ts';

export type DirectoryOptions = {
  readonly snapshotPath: string;
  readonly clock: { nowMs(): number };
  readonly log: Log;
  /**
   * Called with each change, and the directory after it. The first one resolves `ready` and has all
   * rows.
   */
  readonly onDirectory: (change: DirectoryChange, data: DirectoryData) => void;
  /** Called when reachability, source or staleness changes. */
  readonly onState?: (state: DirectoryState) => void;
};

type DirectoryClient = Pick<Transactions, 'query' | 'transaction'>;

export type DirectoryState = {
  readonly isReachable: boolean;
  readonly source: 'none' | 'snapshot' | 'postgres';
  /**
   * Time since Postgres last confirmed the directory in use; undefined if no directory is loaded.
   */
  readonly ageMs: number | undefined;
  /**
   * Whether the directory is older than a start would accept, so that keys revoked since then still
   * work.
   */
  readonly isStale: boolean;
  readonly organizations: number;
  readonly workspaces: number;
  readonly properties: number;
  readonly sdkKeys: number;
};

export class DirectoryFollower {
  readonly #options: DirectoryOptions;
  readonly #ready = Promise.withResolvers<void>();
  readonly #tables = new DirectoryTables();
  readonly #saver: DirectorySaver;
  #data: DirectoryData | undefined;
  /** When the next key of the directory in use expires. */
  #nextExpiryMs = Infinity;
  #source: DirectoryState['source'] = 'none';
  #confirmedAtMs = 0;
  #isReachable = false;
  #isStale = false;
  /** The connection that loaded the directory. Another connection may be to another database. */
  #loadedOver: object | undefined;
  #lastLoad: LastLoad | undefined;
  #revision = '';
  /** No load starts before this time of the monotonic clock. */
  #restUntilMs = 0;
  #pruneAtMs = 0;
  #noted = '';

  constructor(options: DirectoryOptions) {
    this.#options = options;
    this.#saver = new DirectorySaver(options);
  }

  /**
   * Resolves with the first directory, from Postgres or the snapshot. Does not settle until then.
   */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  state(): DirectoryState {
    const { clock } = this.#options;
    return {
      isReachable: this.#isReachable,
      source: this.#source,
      ageMs: this.#data ? Math.max(0, clock.nowMs() - this.#confirmedAtMs) : undefined,
      isStale: this.#isStale,
      organizations: this.#tables.sizeOf('organizations'),
      workspaces: this.#tables.sizeOf('workspaces'),
      properties: this.#tables.sizeOf('properties'),
      sdkKeys: this.#tables.sizeOf('sdkKeys'),
    };
  }

  /** Throws if Postgres failed; the client must then not be used again. */
  async look(client: DirectoryClient): Promise<void> {
    const revision = await readRevision(client);
    const isSame = client === this.#loadedOver && revision.server === this.#lastLoad?.server;
    if (isSame && revision.id === this.#revision) {
      if (revision.rowCount > REVISION_ROWS_MAX) await this.#prune(client);
    } else {
      const startedAtMs = performance.now();
      if (startedAtMs < this.#restUntilMs) return this.#finish(true);
      await this.#load(client);
      // The slower a load is, the less often it runs, so that continuous edits cannot keep the main
      // thread and Postgres busy.
      const endedAtMs = performance.now();
      this.#restUntilMs = endedAtMs + Math.min((endedAtMs - startedAtMs) * 4, LOAD_REST_MAX_MS);
    }
    this.#confirmedAtMs = this.#options.clock.nowMs();
    this.#finish(true);
  }

  noteAway(): void {
    this.#finish(false);
  }

  async startFromSnapshot(): Promise<void> {
    if (this.#data !== undefined) return;
    const { snapshotPath, clock, log } = this.#options;
    const snapshot = await readSnapshot(snapshotPath, clock.nowMs());
    if ('refusal' in snapshot) {
      log.error({ snapshotPath, reason: snapshot.refusal }, 'directory snapshot not usable');
      return;
    }
    this.#confirmedAtMs = snapshot.confirmedAtMs;
    log.warn(
      { snapshotPath, confirmedAt: new Date(snapshot.confirmedAtMs).toISOString() },
      'Postgres unavailable: started from the directory snapshot',
    );
    this.#use({ rows: rowsOf(snapshot.data), wanted: EVERYTHING }, 'snapshot');
    this.#finish(false);
  }

  async stop(): Promise<void> {
    await this.#saver.stop();
  }

  async #load(client: DirectoryClient): Promise<void> {
    const loaded = await client.transaction(LOAD, transaction =>
      loadDirectory(transaction, {
        nowMs: this.#options.clock.nowMs(),
        last: client === this.#loadedOver ? this.#lastLoad : undefined,
        organizationOf: workspaceId => this.#tables.organizationOf(workspaceId),
      }),
    );
    const { server, listed } = loaded;
    this.#loadedOver = client;
    this.#revision = loaded.revision;
    const seen = new Set(listed.changes.map(({ revision }) => revision));
    this.#lastLoad = { server, since: listed.next, loaded: seen };
    this.#confirmedAtMs = this.#options.clock.nowMs();
    this.#use(loaded, 'postgres');
  }

  #use(
    { rows, wanted }: Pick<LoadedDirectory, 'rows' | 'wanted'>,
    source: 'snapshot' | 'postgres',
  ) {
    const isFirst = this.#data === undefined;
    this.#source = source;
    const change = this.#tables.apply(rows, wanted, this.#options.clock.nowMs());
    if (isFirst || !isEmpty(change)) this.#publish(change);
  }

  #publish(change: DirectoryChange): void {
    this.#nextExpiryMs = this.#tables.nextExpiryMs();
    this.#data = this.#tables.toData(this.#revision, this.#options.clock.nowMs());
    this.#saver.noteChange();
    try {
      this.#options.onDirectory(change, this.#data);
    } catch (error) {
      // A bug in the handler must not look like a Postgres outage or stop the follower.
      this.#options.log.error({ err: error }, 'could not apply an update to the key directory');
    }
  }

  #finish(isReachable: boolean): void {
    const nowMs = this.#options.clock.nowMs();
    if (nowMs >= this.#nextExpiryMs) this.#publish(this.#tables.removeExpiredKeys(nowMs));
    this.#noteState(isReachable);
    if (!isReachable) this.#saver.savePending();
    else if (this.#data !== undefined) this.#saver.saveWhenDue(this.#data, this.#confirmedAtMs);
  }

  #noteState(isReachable: boolean): void {
    const { clock, log, onState } = this.#options;
    const isStale =
      this.#data !== undefined && clock.nowMs() - this.#confirmedAtMs > SNAPSHOT_AGE_MAX_MS;
    if (isStale && !this.#isStale) {
      log.error('Postgres last confirmed the key directory more than a day ago; still using it');
    }
    const now = `${isReachable} ${isStale} ${this.#source}`;
    this.#isReachable = isReachable;
    this.#isStale = isStale;
    if (now !== this.#noted) {
      this.#noted = now;
      onState?.(this.state());
    }
    if (this.#data !== undefined) this.#ready.resolve();
  }

  async #prune(client: DirectoryClient): Promise<void> {
    const nowMs = this.#options.clock.nowMs();
    if (Math.abs(nowMs - this.#pruneAtMs) < PRUNE_INTERVAL_MS) return;
    this.#pruneAtMs = nowMs;
    await pruneRevisions(client);
  }
}

/** The longest delay of a change after a slow load. */
const LOAD_REST_MAX_MS = 500;
/** Prevents every look from pruning if the role may not delete or edits come in a flood. */
const PRUNE_INTERVAL_MS = 60 * 1000;
