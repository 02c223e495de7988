// Keeps the directory in memory in step with Postgres, on the main thread. Requests never wait for
// Postgres: while it is away the last known directory goes on being used, however long that takes,
// and a process that starts then takes it from a snapshot on disk.

import { type Log, messageOf, PostgresLink, pause } from '../postgres/postgres-link.ts';
import type { DirectoryData } from './directory-data.ts';
import { pruneRevisions, REVISION_ROWS_MAX, readRevision } from './directory-revision.ts';
import { readSnapshot, SNAPSHOT_AGE_MAX_MS, writeSnapshot } from './directory-snapshot.ts';
import { nextExpiryMs, withoutExpiredKeys } from './key-expiry.ts';
import { loadDirectory } from './load-directory.ts';

export type FollowDirectoryOptions = {
  readonly databaseUrl: string;
  readonly snapshotPath: string;
  readonly clock: { nowMs(): number };
  readonly log: Log;
  /** A new state of the directory; the first one ends `ready`. */
  readonly onChange: (data: DirectoryData) => void;
  /** When reachability, source or staleness changed. */
  readonly onState?: (state: DirectoryState) => void;
};

export type DirectoryState = {
  readonly isReachable: boolean;
  readonly source: 'none' | 'snapshot' | 'postgres';
  /** Time since Postgres last confirmed the directory in use; undefined when there is none. */
  readonly ageMs: number | undefined;
  /** In use for longer than a start would accept it: keys revoked since then still work. */
  readonly isStale: boolean;
  readonly organizations: number;
  readonly workspaces: number;
  readonly properties: number;
  readonly sdkKeys: number;
};

export function followDirectory(options: FollowDirectoryOptions): DirectoryFollower {
  return new DirectoryFollower(options);
}

export class DirectoryFollower {
  readonly #options: FollowDirectoryOptions;
  readonly #link: PostgresLink;
  readonly #stopping = new AbortController();
  readonly #ready = Promise.withResolvers<void>();
  readonly #running: Promise<void>;
  #data: DirectoryData | undefined;
  /** When the next key of the directory in use ends. */
  #nextExpiryMs = Infinity;
  #source: DirectoryState['source'] = 'none';
  #confirmedAtMs = 0;
  #isReachable = false;
  #isStale = false;
  /** The connection that the directory was loaded over; another one may lead to another database. */
  #loadedOver: object | undefined;
  /** No load before, by the monotonic clock. */
  #restUntilMs = 0;
  #savedAtMs: number | undefined;
  #saving: Promise<void> | undefined;
  #pruneAtMs = 0;
  #noted = '';

  constructor(options: FollowDirectoryOptions) {
    this.#options = options;
    this.#link = new PostgresLink({
      databaseUrl: options.databaseUrl,
      name: 'ingest-directory',
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
      log: options.log,
    });
    this.#running = this.#run();
  }

  /** Settles with the first directory, from wherever it comes; waits for ever when there is none. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  state(): DirectoryState {
    const data = this.#data;
    return {
      isReachable: this.#isReachable,
      source: this.#source,
      ageMs: data && Math.max(0, this.#options.clock.nowMs() - this.#confirmedAtMs),
      isStale: this.#isStale,
      organizations: data?.organizations.length ?? 0,
      workspaces: data?.workspaces.length ?? 0,
      properties: data?.properties.length ?? 0,
      sdkKeys: data?.sdkKeys.length ?? 0,
    };
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all([this.#link.stop(), this.#running]);
    await this.#saving;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    await this.#link.firstAttempt;
    await this.#check();
    if (this.#data === undefined) await this.#startFromSnapshot();
    while (!signal.aborted) {
      await pause(POLL_INTERVAL_MS, signal);
      if (!signal.aborted) await this.#check();
    }
  }

  async #check(): Promise<void> {
    const isReachable = await this.#confirm();
    if (this.#data !== undefined && this.#options.clock.nowMs() >= this.#nextExpiryMs)
      this.#use(this.#data, this.#source);
    this.#noteState(isReachable);
    if (isReachable) this.#saveWhenDue();
  }

  /** Whether Postgres answered, so that the directory now is the database's. */
  async #confirm(): Promise<boolean> {
    const client = this.#link.client;
    if (client === undefined) return false;
    let loaded: DirectoryData | undefined;
    try {
      const revision = await readRevision(client);
      if (client !== this.#loadedOver || revision.id !== this.#data?.revision) {
        const startedAtMs = performance.now();
        if (startedAtMs < this.#restUntilMs) return true;
        loaded = await loadDirectory(client, this.#options.clock.nowMs());
        // A directory that takes long to load is loaded less often, so that edits which never stop
        // cannot keep the main thread and Postgres busy.
        const endedAtMs = performance.now();
        this.#restUntilMs = endedAtMs + Math.min((endedAtMs - startedAtMs) * 4, LOAD_REST_MAX_MS);
      } else if (revision.rowCount > REVISION_ROWS_MAX) {
        await this.#prune(client);
      }
    } catch (error) {
      this.#link.drop(client, error);
      return false;
    }
    this.#confirmedAtMs = this.#options.clock.nowMs();
    if (loaded !== undefined) {
      this.#loadedOver = client;
      this.#savedAtMs = undefined;
      this.#use(loaded, 'postgres');
    }
    return true;
  }

  async #startFromSnapshot(): Promise<void> {
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
    this.#use(snapshot.data, 'snapshot');
    this.#noteState(false);
  }

  #use(data: DirectoryData, source: DirectoryState['source']): void {
    this.#data = withoutExpiredKeys(data, this.#options.clock.nowMs());
    this.#nextExpiryMs = nextExpiryMs(this.#data);
    this.#source = source;
    try {
      this.#options.onChange(this.#data);
    } catch (error) {
      // A bug of the receiver; it must not look like an outage of Postgres nor end the following.
      this.#options.log.error({ err: error }, 'directory change handler failed');
    }
  }

  #noteState(isReachable: boolean): void {
    const { clock, log, onState } = this.#options;
    const isStale =
      this.#data !== undefined && clock.nowMs() - this.#confirmedAtMs > SNAPSHOT_AGE_MAX_MS;
    if (isStale && !this.#isStale) {
      log.error('directory not confirmed for a day: still in use');
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

  async #prune(client: NonNullable<PostgresLink['client']>): Promise<void> {
    const nowMs = this.#options.clock.nowMs();
    if (Math.abs(nowMs - this.#pruneAtMs) < PRUNE_INTERVAL_MS) return;
    this.#pruneAtMs = nowMs;
    await pruneRevisions(client);
  }

  /** In the background, one at a time: a slow disk must not hold up the next check. */
  #saveWhenDue(): void {
    const { snapshotPath, clock, log } = this.#options;
    const data = this.#data;
    const nowMs = clock.nowMs();
    const isDue =
      this.#savedAtMs === undefined || Math.abs(nowMs - this.#savedAtMs) >= SNAPSHOT_REFRESH_MS;
    if (data === undefined || !isDue || this.#saving !== undefined) return;
    this.#savedAtMs = nowMs;
    this.#saving = writeSnapshot(snapshotPath, { confirmedAtMs: this.#confirmedAtMs, data })
      .catch((error: unknown) => {
        log.error({ snapshotPath, reason: messageOf(error) }, 'directory snapshot write failed');
        // Soon again: keys that are revoked by now may still be in the old one.
        this.#savedAtMs = nowMs - SNAPSHOT_REFRESH_MS + SNAPSHOT_RETRY_MS;
      })
      .finally(() => {
        this.#saving = undefined;
      });
  }
}

/** A change shows within a second: the wait, the load and the way to the worker threads. */
const POLL_INTERVAL_MS = 250;
/** Whatever the last load took, a change after it is not held up for longer. */
const LOAD_REST_MAX_MS = 500;
/** The poll takes under a millisecond; slower means that the database is not well. */
const STATEMENT_TIMEOUT_MS = 2_000;
/** How much older than true the snapshot's age may be; a few writes an hour cost nothing. */
const SNAPSHOT_REFRESH_MS = 2 * 60 * 1000;
const SNAPSHOT_RETRY_MS = 5_000;
/** A role that may not delete, or a flood of edits, must not make every poll a pruning. */
const PRUNE_INTERVAL_MS = 60 * 1000;
