// Keeps the directory of SDK keys and the live campaigns, which the worker threads have in memory,
// in sync with Postgres. Runs on the main thread. One connection and one loop; each look loads only
// what has changed since the last one, and then the latest uses of keys are written.

import { readSchemaRelease, schemaProblem } from '../schema/environment/schema-release.ts';
import { DirectoryFollower, type DirectoryOptions } from './authenticate/follow-directory.ts';
import type { KeyUseWriter } from './authenticate/write-key-uses.ts';
import { CampaignFollower, type CampaignOptions } from './campaigns/follow-campaigns.ts';
import { PostgresLink, pause } from './postgres/postgres-link.ts';
import type { PostgresClient } from './postgres/statement.ts';

export type FollowPostgresOptions = DirectoryOptions &
  CampaignOptions & {
    readonly databaseUrl: string;
    readonly keyUses?: KeyUseWriter;
    /** The release of this process. */
    readonly release: string;
    /** Called before anything is loaded, if this release does not work on the schema. Nothing is loaded then. */
    readonly onSchemaProblem: (problem: string) => void;
    /** Called once, when everything has been loaded or Postgres has failed. */
    readonly onFirstLook: () => void;
  };

export class PostgresFollower {
  readonly directory: DirectoryFollower;
  readonly campaigns: CampaignFollower;
  readonly #link: PostgresLink;
  readonly #stopping = new AbortController();
  readonly #options: FollowPostgresOptions;
  /** Undefined until Postgres has answered. */
  #isServed: boolean | undefined;
  readonly #running: Promise<void>;

  constructor(options: FollowPostgresOptions) {
    this.#options = options;
    this.directory = new DirectoryFollower(options);
    this.campaigns = new CampaignFollower(options);
    this.#link = new PostgresLink({
      databaseUrl: options.databaseUrl,
      name: 'ingest-followers',
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
      log: options.log,
    });
    this.#running = this.#run();
  }

  /** Writes the latest uses of keys, if Postgres responds. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    if (this.#link.client !== undefined) await this.#finishWithin(LAST_WRITE_MAX_MS);
    await Promise.all([this.#link.stop(), this.#running]);
    await this.directory.stop();
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    await this.#link.firstAttempt;
    let hasMore = await this.#look();
    await this.directory.startFromSnapshot();
    while (hasMore && !signal.aborted) hasMore = await this.#look();
    this.#options.onFirstLook();
    while (!signal.aborted) {
      if (!hasMore) await pause(LOOK_INTERVAL_MS, signal);
      if (!signal.aborted) hasMore = await this.#look();
      await this.#writeKeyUses();
    }
    // Uses that were recorded during the last write.
    await this.#writeKeyUses();
  }

  async #finishWithin(timeoutMs: number): Promise<void> {
    const finished = new AbortController();
    void this.#running.then(() => finished.abort());
    await pause(timeoutMs, finished.signal);
  }

  async #writeKeyUses(): Promise<void> {
    const { client } = this.#link;
    if (client !== undefined) await this.#options.keyUses?.write(client);
  }

  /** Returns whether there is more to load at once. Never rejects. */
  async #look(): Promise<boolean> {
    const { client } = this.#link;
    if (client === undefined) {
      this.directory.noteAway();
      return false;
    }
    try {
      if (!(await this.#isSchemaServed(client))) return false;
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

  /** Once per process, since ingest also starts without Postgres. */
  async #isSchemaServed(client: PostgresClient): Promise<boolean> {
    if (this.#isServed !== undefined) return this.#isServed;
    const { release, onSchemaProblem } = this.#options;
    const schema = await readSchemaRelease(async sql => (await client.query({ text: sql })).rows);
    const problem = schemaProblem(release, schema);
    this.#isServed = problem === undefined;
    if (problem !== undefined) onSchemaProblem(problem);
    return this.#isServed;
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
/** Longer than the statement takes. Losing the times of some uses is better than stopping late. */
const LAST_WRITE_MAX_MS = 2_000;
