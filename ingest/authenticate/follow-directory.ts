// Keeps the directory in memory in sync with Postgres, on the main thread. Requests never wait for
// Postgres. While Postgres is unavailable, the last known directory stays in use indefinitely, and
// a process that starts in that time loads it from a snapshot on disk.

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
  /** Called with each new state of the directory. The first one resolves `ready`. */
  readonly onChange: (data: DirectoryData) => void;
  /** Called when reachability, source or staleness changes. */
  readonly onState?: (state: DirectoryState) => void;
};

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
  /** When the next key of the directory in use expires. */
  #nextExpiryMs = Infinity;
  #source: DirectoryState['source'] = 'none';
  #confirmedAtMs = 0;
  #isReachable = false;
  #isStale = false;
  /** The connection that loaded the directory. Another connection may lead to another database. */
  #loadedOver: object | undefined;
  /** No load starts before this time of the monotonic clock. */
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

  /**
   * Resolves with the first directory, from Postgres or the snapshot. Does not settle until then.
   */
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

  /** Whether Postgres responded, so that the directory now matches the database. */
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
        // The slower a load is, the less often it runs, so that continuous edits cannot keep the
        // main thread and Postgres busy.
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
      // A bug in the handler must not look like a Postgres outage or stop the follower.
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

  /** Runs in the background, one at a time, so that a slow disk does not delay the next check. */
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
        // Retry soon: the old snapshot may contain keys that have been revoked since.
        this.#savedAtMs = nowMs - SNAPSHOT_REFRESH_MS + SNAPSHOT_RETRY_MS;
      })
      .finally(() => {
        this.#saving = undefined;
      });
  }
}

/**
 * A change takes effect within a second: the wait, the load and the message to the worker threads.
 */
const POLL_INTERVAL_MS = 250;
/** The longest delay of a change after a slow load. */
const LOAD_REST_MAX_MS = 500;
/** The poll takes under a millisecond; a slower poll means that the database is unhealthy. */
const STATEMENT_TIMEOUT_MS = 2_000;
/** How much the snapshot's age may be overstated; a few writes an hour are cheap. */
const SNAPSHOT_REFRESH_MS = 2 * 60 * 1000;
const SNAPSHOT_RETRY_MS = 5_000;
/** Prevents every poll from pruning if the role may not delete or edits come in a flood. */
const PRUNE_INTERVAL_MS = 60 * 1000;
