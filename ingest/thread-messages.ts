// The messages between the main thread and the workers.

import type { BuildInfo } from '../schema/environment/build-info.ts';
import type { RecentIdsMemory } from './accept/recent-ids.ts';
import type { LeaseRequest } from './authenticate/check-caps.ts';
import type { SlotChanges } from './authenticate/directory.ts';
import type { DirectoryChange } from './authenticate/directory-data.ts';
import type { CampaignChanges } from './campaigns/follow-campaigns.ts';
import type { Config } from './config.ts';
import type { Ports } from './find-ports.ts';
import type { AskedItem, ItemOutcome } from './item-messages.ts';
import type { QuarantinedByCell } from './quarantine-watch.ts';
import type { Tapped } from './tail/tap.ts';

/** The start data of a worker. All threads share its memories. */
export type WorkerSetup = {
  readonly index: number;
  readonly config: Config;
  readonly build: BuildInfo;
  readonly connectionsMax: number;
  readonly quotaMemory: SharedArrayBuffer;
  readonly budgetMemory: SharedArrayBuffer;
  /** By cell. */
  readonly budgetSlots: Readonly<Record<string, number>>;
  readonly recentIds: RecentIdsMemory;
  readonly logs: readonly LogAssignment[];
  /** Whether `npm run spool -- drain` was run before the start. */
  readonly isRefusing: boolean;
};

export type LogAssignment = {
  readonly cell: string;
  readonly directory: string;
  /** False for the log of a thread that no longer exists. */
  readonly takesFrames: boolean;
};

/** State of the process that only the main thread has. */
export type ProcessState = {
  readonly isPostgresReachable: boolean;
  /** Whether all live campaigns were loaded since the start, or loading them has failed. */
  readonly isFirstLookDone: boolean;
  readonly quarantined: QuarantinedByCell;
};

export const FIRST_STATE: ProcessState = {
  isPostgresReachable: false,
  isFirstLookDone: false,
  quarantined: {},
};

export type ToWorker =
  | { readonly kind: 'directory'; readonly change: DirectoryChange; readonly slots: SlotChanges }
  | { readonly kind: 'campaigns'; readonly changes: CampaignChanges }
  | { readonly kind: 'listen'; readonly ports: Ports }
  | { readonly kind: 'leased'; readonly ask: number; readonly error?: string }
  | { readonly kind: 'state'; readonly state: ProcessState }
  | { readonly kind: 'collect'; readonly ask: number }
  | { readonly kind: 'metrics'; readonly ask: number; readonly text: string | undefined }
  | {
      readonly kind: 'watched';
      readonly workspaceIds: readonly string[];
      readonly revision: number;
    }
  | { readonly kind: 'tailed'; readonly ask: number; readonly text: string | undefined }
  | { readonly kind: 'outbox'; readonly isConnected: boolean }
  | { readonly kind: 'outcomes'; readonly outcomes: readonly ItemOutcome[] }
  | { readonly kind: 'refuse' }
  | { readonly kind: 'drain' }
  | { readonly kind: 'close' };

export type ToMain =
  | { readonly kind: 'opened' }
  | { readonly kind: 'listening' }
  | { readonly kind: 'lease'; readonly ask: number; readonly request: LeaseRequest }
  | { readonly kind: 'items'; readonly items: readonly AskedItem[] }
  | { readonly kind: 'keys-used'; readonly keyIds: readonly string[] }
  | { readonly kind: 'collected'; readonly ask: number; readonly metrics: unknown }
  | { readonly kind: 'scrape'; readonly ask: number }
  | { readonly kind: 'tapped'; readonly tapped: Tapped }
  | {
      readonly kind: 'tail';
      readonly ask: number;
      readonly workspaceId: string;
      readonly after: string;
    }
  | { readonly kind: 'refusing' }
  | { readonly kind: 'drained' }
  | { readonly kind: 'closed' };
