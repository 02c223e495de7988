// All work of a node with Postgres, on the main thread: it follows the directory and the campaigns,
// leases quotas, writes the uses of keys, and reads and writes for the worker threads. At most four
// connections, regardless of the number of threads.

import type { Logger } from 'pino';
import type { DirectoryOptions } from './authenticate/follow-directory.ts';
import { QuotaLeases } from './authenticate/lease-quota.ts';
import type { QuotaBoard } from './authenticate/quota-board.ts';
import { KeyUseWriter } from './authenticate/write-key-uses.ts';
import type { CampaignOptions } from './campaigns/follow-campaigns.ts';
import type { Clock } from './clock.ts';
import { type FollowPostgresOptions, PostgresFollower } from './follow-postgres.ts';
import type { ItemOutcome } from './item-messages.ts';
import { AskedItems } from './postgres/asked-items.ts';
import { SharedLinks } from './postgres/shared-links.ts';
import { createRequestGroups, type RequestGroupMetrics } from './request-groups.ts';

type NodePostgresOptions = {
  readonly databaseUrl: string;
  readonly board: QuotaBoard;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: RequestGroupMetrics;
  readonly onOutbox: (isConnected: boolean) => void;
  readonly onOutcomes: (thread: number, outcomes: readonly ItemOutcome[]) => void;
  readonly onCountedAlone: (amount: number) => void;
};

type FollowOptions = Pick<DirectoryOptions, 'snapshotPath' | 'onDirectory' | 'onState'> &
  Pick<CampaignOptions, 'onCampaigns'> &
  Pick<FollowPostgresOptions, 'release' | 'onSchemaProblem' | 'onFirstLook'>;

export class NodePostgres {
  readonly links: SharedLinks;
  readonly items: AskedItems;
  readonly leases: QuotaLeases;
  readonly keyUses: KeyUseWriter;
  readonly #options: NodePostgresOptions;
  #follower: PostgresFollower | undefined;

  constructor(options: NodePostgresOptions) {
    this.#options = options;
    const { databaseUrl, board, clock, log, metrics, onCountedAlone } = options;
    this.links = new SharedLinks({ databaseUrl, log, onOutbox: options.onOutbox });
    this.items = new AskedItems({
      groups: createRequestGroups(this.links, metrics),
      outbox: this.links.outbox,
      tell: options.onOutcomes,
    });
    this.leases = new QuotaLeases({
      link: this.links.questions,
      board,
      clock,
      log,
      onCountedAlone,
    });
    this.keyUses = new KeyUseWriter({ clock, log });
  }

  /** Undefined until `follow` is called. */
  get follower(): Pick<PostgresFollower, 'directory' | 'campaigns'> | undefined {
    return this.#follower;
  }

  follow(options: FollowOptions): void {
    const { databaseUrl, clock, log } = this.#options;
    this.#follower = new PostgresFollower({
      ...options,
      databaseUrl,
      clock,
      log,
      keyUses: this.keyUses,
    });
  }

  /** Called when the worker threads no longer need Postgres. */
  async stop(): Promise<void> {
    await Promise.all([this.#follower?.stop(), this.leases.stop()]);
    await this.links.stop();
  }
}
