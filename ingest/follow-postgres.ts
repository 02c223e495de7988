// Keeps what the worker threads have in memory in sync with Postgres, on the main thread: the
// directory of SDK keys and the live campaigns. One connection and one loop; each look loads only
// what has changed since the last one.

import { DirectoryFollower, type DirectoryOptions } from './authenticate/follow-directory.ts';
import { CampaignFollower, type CampaignOptions } from './campaigns/follow-campaigns.ts';
import { PostgresLink, pause } from './postgres/postgres-link.ts';

type FollowPostgresOptions = DirectoryOptions &
  CampaignOptions & {
    readonly databaseUrl: string;
    /** Called once, when everything has been loaded or Postgres has failed. */
    readonly onFirstLook: () => void;
  };

export class PostgresFollower {
  readonly directory: DirectoryFollower;
  readonly campaigns: CampaignFollower;
  readonly #link: PostgresLink;
  readonly #stopping = new AbortController();
  readonly #onFirstLook: () => void;
  readonly #running: Promise<void>;

  constructor(options: FollowPostgresOptions) {
    this.#onFirstLook = options.onFirstLook;
    this.directory = new DirectoryFollower(options);
    this.campaigns = new CampaignFollower(options);
    this.#link = new PostgresLink({
      databaseUrl: options.databaseUrl,
      name: 'ingest-directory',
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
      log: options.log,
    });
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all([this.#link.stop(), this.#running]);
    await this.directory.stop();
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    await this.#link.firstAttempt;
    let hasMore = await this.#look();
    await this.directory.startFromSnapshot();
    while (hasMore && !signal.aborted) hasMore = await this.#look();
    this.#onFirstLook();
    while (!signal.aborted) {
      if (!hasMore) await pause(LOOK_INTERVAL_MS, signal);
      if (!signal.aborted) hasMore = await this.#look();
    }
  }

  /** Returns whether there is more to load at once. Never rejects. */
  async #look(): Promise<boolean> {
    const { client } = this.#link;
    if (client === undefined) {
      this.directory.noteAway();
      return false;
    }
    try {
      await this.directory.look(client);
    } catch (error) {
      this.#link.drop(client, error);
      this.directory.noteAway();
      return false;
    }
    try {
      return await this.campaigns.look(client);
    } catch (error) {
      this.#link.drop(client, error);
      return false;
    }
  }
}

/**
 * A change takes effect within 0.3 s: the wait, the load of what changed, and the message to the
 * worker threads. A look takes about a millisecond. NOTIFY would save the wait, but it serializes
 * the commits of all edits, and a pooler in transaction mode does not deliver it.
 */
const LOOK_INTERVAL_MS = 100;
/** For the list of all live campaigns; a hundred thousand take less than a second. */
const STATEMENT_TIMEOUT_MS = 10_000;
