import type { EntityManager } from '@mikro-orm/postgresql';
import type { Context } from '../platform/context.ts';
import type { ApprovalConfig } from './approval/approval-config.ts';
import type { TemplateVersion } from './version.entity.ts';

/** What templates ask of journeys, whose snapshots pin people to versions. Journeys implement it. */
export type VersionPinning = {
  /** Queues a check of the people pinned to older versions, in the transaction that made this version
   * Active. */
  requestPinCheck(
    em: EntityManager,
    requestId: string,
    version: Pick<TemplateVersion, 'id' | 'workspaceId'>,
  ): Promise<void>;
  /** Moves everyone pinned to another version of the same template, channel and language to this one.
   * Returns how many versions that were. */
  releasePins(em: EntityManager, release: PinsRelease): Promise<number>;
  /** How many people in flight are pinned to each version; of the viewer's workspace only. */
  pinsByVersions(context: Context, ids: readonly string[]): Promise<readonly VersionPins[]>;
};

export type PinsRelease = {
  readonly toVersionId: string;
  /** Null: in all journeys. */
  readonly journeyId: string | null;
  readonly releasedBy: string;
  /** FORCE_ROLLOUT: the version is published with `forceRollout`. OPERATOR: a person forced it. */
  readonly cause: 'FORCE_ROLLOUT' | 'OPERATOR';
  readonly at: Date;
};

export type VersionPins = {
  /** Id of the version. */
  readonly id: string;
  readonly pinnedCount: number;
  /** When the first person who is still in flight was pinned. */
  readonly oldestPinAt: Date | null;
  /** The version to which a forced rollout moved the people pinned until then. */
  readonly releasedToId: string | null;
  readonly checkedAt: Date;
};

declare module '../platform/context.ts' {
  interface AppDeps {
    readonly pinning: VersionPinning;
  }
}

declare module '../platform/config.ts' {
  interface Config {
    readonly approval: ApprovalConfig;
  }
}
