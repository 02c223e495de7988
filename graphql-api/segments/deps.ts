import type { EntityManager } from '@mikro-orm/postgresql';

/** What follows the members of segments: journeys, which new members enter. */
export type MembersFollower = {
  /** Called in the transaction that adds the members. */
  membersEntered(em: EntityManager, entered: MembersEntered): Promise<void>;
};

export type MembersEntered = {
  readonly segmentId: string;
  readonly userIds: readonly string[];
  readonly at: Date;
  /** The previous evaluation. Who was not a member then is new. */
  readonly since: Date;
};

declare module '../platform/context.ts' {
  interface AppDeps {
    readonly segmentMembers: MembersFollower;
  }
}
