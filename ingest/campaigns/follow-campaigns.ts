// Keeps the live campaigns in memory in sync with Postgres, on the main thread, and sends changes to the worker
// threads: `look` loads what has changed. A row contains the ID of the transaction that wrote it
// (`changed_in`). Each poll reads all rows whose transaction may not have been visible to the snapshot of the
// last poll, so no commit is missed, in any order of commits. While Postgres is unavailable, the known
// campaigns stay in use.

import type { Campaign } from '../../schema/campaign/campaign.ts';
import { LIVE_CAMPAIGNS_MAX } from '../../schema/campaign/campaign.ts';
import type { Log } from '../postgres/postgres-link.ts';
import type { PostgresClient } from '../postgres/statement.ts';
import { type ListedCampaign, listCampaigns, loadCampaigns } from './load-campaigns.ts';

/** The content is JSON text that is only passed on. */
export type LiveCampaign = Campaign<string>;

export type CampaignChanges = {
  readonly live: readonly LiveCampaign[];
  /** IDs of campaigns that are no longer live. */
  readonly gone: readonly string[];
  /** Whether all campaigns that were live at that time have been sent. */
  readonly isComplete: boolean;
};

export type CampaignOptions = {
  readonly clock: { nowMs(): number };
  readonly log: Log;
  readonly onCampaigns: (changes: CampaignChanges) => void;
};

export class CampaignFollower {
  readonly #options: CampaignOptions;
  /** The campaigns that the worker threads have, by ID. */
  readonly #known = new Map<string, Known>();
  readonly #liveByWorkspace = new Map<string, number>();
  #bytes = 0;
  /** The connection of the last poll. Another connection may be to another database. */
  #lookedOver: object | undefined;
  #server = '';
  /** The oldest transaction that the last poll may not have seen. */
  #since = '0';
  #nextWholeLookMs = 0;
  /** Campaigns on the last list that are not loaded yet. */
  #waiting: ListedCampaign[] = [];
  #isComplete = false;
  /** Why campaigns are skipped, by ID. Each is reported once per reason. */
  #leftOut = new Map<string, string>();

  constructor(options: CampaignOptions) {
    this.#options = options;
  }

  /** Live campaigns in memory, of all workspaces. */
  get size(): number {
    return this.#known.size;
  }

  /**
   * Loads one message's worth of what has changed, and returns whether there is more. Throws if
   * Postgres failed; the client must then not be used again.
   */
  async look(client: PostgresClient): Promise<boolean> {
    if (client !== this.#lookedOver || this.#waiting.length === 0) await this.#list(client);
    const some = this.#waiting.splice(0, CAMPAIGNS_PER_MESSAGE);
    if (some.length > 0) await this.#load(client, some);
    const isDone = this.#waiting.length === 0;
    if (isDone && !this.#isComplete) {
      this.#isComplete = true;
      this.#options.onCampaigns({ live: [], gone: [], isComplete: true });
    }
    return !isDone;
  }

  async #list(client: PostgresClient): Promise<void> {
    const nowMs = performance.now();
    let isOther = client !== this.#lookedOver;
    let isWhole = isOther || nowMs >= this.#nextWholeLookMs;
    const list = () =>
      listCampaigns(client, isWhole ? undefined : this.#since, this.#options.clock.nowMs());
    let found = await list();
    if (!isOther && found.server !== this.#server) {
      isOther = true;
      isWhole = true;
      found = await list();
    }
    const { server, since, listed } = found;
    const gone = listed.filter(row => !row.isLive).map(({ id }) => id);
    if (isWhole) gone.push(...this.#missingFrom(listed));
    // Removals come first, to make room for the others.
    this.#forget(gone);
    this.#waiting = listed.filter(row => row.isLive && (isOther || this.#isNew(row)));
    if (isWhole) this.#nextWholeLookMs = nowMs + WHOLE_LOOK_INTERVAL_MS;
    this.#lookedOver = client;
    this.#server = server;
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
    if (gone.length > 0) this.#options.onCampaigns({ live: [], gone, isComplete: false });
  }

  async #load(client: PostgresClient, listed: readonly ListedCampaign[]): Promise<void> {
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
    if (live.length + gone.length > 0) this.#options.onCampaigns({ live, gone, isComplete: false });
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
 * A full poll finds what the polls in between cannot: deleted rows, expired campaigns, and room for
 * skipped campaigns.
 */
const WHOLE_LOOK_INTERVAL_MS = 10 * 60 * 1000;
/** Bounds the size of a load and of a message. Most campaigns have a few kilobytes. */
const CAMPAIGNS_PER_MESSAGE = 50;
/** Each thread has a copy. */
const MEMORY_BYTES_MAX = 128 * 1024 * 1024;
