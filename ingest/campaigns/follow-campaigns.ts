// Keeps the live campaigns in memory in sync with Postgres, on the main thread, and sends changes
// to the worker threads. A row has the transaction that wrote it (`changed_in`). Each poll reads
// all rows whose transaction may not have been visible to the snapshot of the last poll, so no
// commit is missed, in any order of commits. While Postgres is unavailable, the known campaigns
// stay in use.

import type pg from 'pg';
import type { Campaign } from '../../schema/campaign/campaign.ts';
import { LIVE_CAMPAIGNS_MAX } from '../../schema/campaign/campaign.ts';
import { type Log, PostgresLink, pause } from '../postgres/postgres-link.ts';
import { type ListedCampaign, listCampaigns, loadCampaigns } from './load-campaigns.ts';

/** The content is JSON text that is only passed on. */
export type LiveCampaign = Campaign<string>;

export type CampaignChanges = {
  readonly live: readonly LiveCampaign[];
  /** Ids of campaigns that are no longer live. */
  readonly gone: readonly string[];
  /** Whether all campaigns that were live at that time have been sent. */
  readonly isComplete: boolean;
};

export type FollowCampaignsOptions = {
  readonly databaseUrl: string;
  readonly clock: { nowMs(): number };
  readonly log: Log;
  readonly onChange: (changes: CampaignChanges) => void;
};

export class CampaignFollower {
  readonly #options: FollowCampaignsOptions;
  readonly #link: PostgresLink;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;
  /** The campaigns that the worker threads have, by id. */
  readonly #known = new Map<string, Known>();
  readonly #liveByWorkspace = new Map<string, number>();
  #bytes = 0;
  /** The connection of the last poll. Another connection may lead to another database. */
  #lookedOver: object | undefined;
  /** The oldest transaction that the last poll may not have seen. */
  #since = '0';
  #nextWholeLookMs = 0;
  /** Why campaigns are skipped, by id. Each is reported once per reason. */
  #leftOut = new Map<string, string>();

  constructor(options: FollowCampaignsOptions) {
    this.#options = options;
    this.#link = new PostgresLink({
      databaseUrl: options.databaseUrl,
      name: 'ingest-campaigns',
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
      log: options.log,
    });
    this.#running = this.#run();
  }

  /** Live campaigns in memory, of all workspaces. */
  get size(): number {
    return this.#known.size;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all([this.#link.stop(), this.#running]);
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    await this.#link.firstAttempt;
    while (!signal.aborted) {
      const { client } = this.#link;
      if (client !== undefined)
        await this.#look(client).catch((error: unknown) => this.#link.drop(client, error));
      await pause(POLL_INTERVAL_MS, signal);
    }
  }

  async #look(client: pg.Client): Promise<void> {
    const nowMs = performance.now();
    const isOther = client !== this.#lookedOver;
    const isWhole = isOther || nowMs >= this.#nextWholeLookMs;
    const { since, listed } = await listCampaigns(
      client,
      isWhole ? undefined : this.#since,
      this.#options.clock.nowMs(),
    );
    const wanted = listed.filter(row => row.isLive && (isOther || this.#isNew(row)));
    const gone = listed.filter(row => !row.isLive).map(({ id }) => id);
    if (isWhole) gone.push(...this.#missingFrom(listed));
    // Removals come first, to make room for the others.
    this.#forget(gone);
    for (let at = 0; at < wanted.length; at += CAMPAIGNS_PER_MESSAGE)
      await this.#load(client, wanted.slice(at, at + CAMPAIGNS_PER_MESSAGE));
    if (isOther) this.#options.onChange({ live: [], gone: [], isComplete: true });
    if (isWhole) this.#nextWholeLookMs = nowMs + WHOLE_LOOK_INTERVAL_MS;
    this.#lookedOver = client;
    this.#since = since;
  }

  #isNew({ id, changedIn }: ListedCampaign): boolean {
    return this.#known.get(id)?.changedIn !== changedIn;
  }

  #missingFrom(listed: readonly ListedCampaign[]): string[] {
    const live = new Set(listed.map(({ id }) => id));
    for (const id of this.#leftOut.keys()) if (!live.has(id)) this.#leftOut.delete(id);
    return [...this.#known.keys()].filter(id => !live.has(id));
  }

  #forget(ids: readonly string[]): void {
    const gone = ids.filter(id => this.#remove(id));
    if (gone.length > 0) this.#options.onChange({ live: [], gone, isComplete: false });
  }

  async #load(client: pg.Client, listed: readonly ListedCampaign[]): Promise<void> {
    const rows = await loadCampaigns(
      client,
      listed.map(({ id }) => id),
      this.#options.clock.nowMs(),
    );
    const live: LiveCampaign[] = [];
    const gone: string[] = [];
    for (const { id, workspaceId, changedIn, bytes, loaded } of rows) {
      const isKnown = this.#remove(id);
      const fault = typeof loaded === 'string' ? loaded : this.#lackOfRoom(workspaceId, bytes);
      if (typeof loaded !== 'string' && fault === undefined) {
        this.#add(id, { workspaceId, changedIn, bytes });
        live.push(loaded);
      } else if (isKnown) gone.push(id);
      this.#report(id, fault);
    }
    if (live.length + gone.length > 0) this.#options.onChange({ live, gone, isComplete: false });
  }

  #add(id: string, known: Known): void {
    this.#known.set(id, known);
    this.#bytes += known.bytes;
    const { workspaceId } = known;
    this.#liveByWorkspace.set(workspaceId, (this.#liveByWorkspace.get(workspaceId) ?? 0) + 1);
  }

  /** Returns whether the campaign was known. */
  #remove(id: string): boolean {
    const known = this.#known.get(id);
    if (known === undefined) return false;
    this.#known.delete(id);
    this.#bytes -= known.bytes;
    const left = this.#liveByWorkspace.get(known.workspaceId)! - 1;
    if (left > 0) this.#liveByWorkspace.set(known.workspaceId, left);
    else this.#liveByWorkspace.delete(known.workspaceId);
    return true;
  }

  #lackOfRoom(workspaceId: string, bytes: number): string | undefined {
    if ((this.#liveByWorkspace.get(workspaceId) ?? 0) >= LIVE_CAMPAIGNS_MAX)
      return `the workspace has more than ${LIVE_CAMPAIGNS_MAX} live campaigns`;
    return this.#bytes + bytes > MEMORY_BYTES_MAX
      ? 'the memory limit for campaigns is reached'
      : undefined;
  }

  /** A full poll retries skipped campaigns, so the reason is logged once and not each time. */
  #report(id: string, fault: string | undefined): void {
    if (fault === undefined) this.#leftOut.delete(id);
    else if (this.#leftOut.get(id) !== fault) {
      this.#leftOut.set(id, fault);
      this.#options.log.error(
        { campaign: id, fault },
        'live campaign skipped: not shown to anyone',
      );
    }
  }
}

type Known = {
  readonly workspaceId: string;
  readonly changedIn: string;
  readonly bytes: number;
};

/**
 * A change takes effect within a second: the wait, the load and the message to the worker threads.
 */
const POLL_INTERVAL_MS = 250;
/**
 * A full poll finds what the polls in between cannot: deleted rows, expired campaigns, and room for
 * skipped campaigns.
 */
const WHOLE_LOOK_INTERVAL_MS = 10 * 60 * 1000;
/**
 * A poll takes a millisecond; a full poll of a hundred thousand campaigns takes less than a second.
 */
const STATEMENT_TIMEOUT_MS = 10_000;
/** Bounds the size of a load and of a message. Most campaigns have a few kilobytes. */
const CAMPAIGNS_PER_MESSAGE = 50;
/** Each thread has a copy. */
const MEMORY_BYTES_MAX = 128 * 1024 * 1024;
