import type { EntityManager } from '@mikro-orm/postgresql';
import type { Context } from '../platform/context.ts';
import type { ApprovalConfig } from './approval/approval-config.ts';
import type { TemplateVersion } from './version.entity.ts';

/** The pinning that templates require from journeys, whose snapshots pin enrolments to versions. */
export type VersionPinning = {
  /** Queues a check of the enrolments pinned to older versions, in the transaction that made this
   * version Active. */
  requestPinCheck(
    em: EntityManager,
    requestId: string,
    version: Pick<TemplateVersion, 'id' | 'workspaceId'>,
  ): Promise<void>;
  /** Moves all enrolments pinned to another version of the same template, channel and language to
   * this one. Returns the number of versions whose pins were released. */
  releasePins(em: EntityManager, release: PinsRelease): Promise<number>;
  /** Counts the enrolments in flight pinned to each version, in the viewer's workspace only. */
  pinsByVersions(context: Context, ids: readonly string[]): Promise<readonly VersionPins[]>;
};

export type PinsRelease = {
  readonly toVersionId: string;
  /** Null means all journeys. */
  readonly journeyId: string | null;
  readonly releasedBy: string;
  /** FORCE_ROLLOUT: the version was approved with `forceRollout`. OPERATOR: a member forced it. */
  readonly cause: 'FORCE_ROLLOUT' | 'OPERATOR';
  readonly at: Date;
};

export type VersionPins = {
  /** The ID of the version. */
  readonly id: string;
  readonly pinnedCount: number;
  /** When the oldest enrolment that is still in flight was pinned. */
  readonly oldestPinAt: Date | null;
  /** The version that a forced rollout moved the pinned enrolments to. */
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
