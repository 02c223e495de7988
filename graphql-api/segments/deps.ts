import type { EntityManager } from '@mikro-orm/postgresql';

/** The interface that journeys implement to let new members enter. */
export type MembersFollower = {
  /** Called in the transaction that adds the members. */
  membersEntered(em: EntityManager, entered: MembersEntered): Promise<void>;
};

type MembersEntered = {
  readonly segmentId: string;
  readonly userIds: readonly string[];
  readonly at: Date;
  /** The previous evaluation. People who were not members at that evaluation are new. */
  readonly since: Date;
};

declare module '../platform/context.ts' {
  interface AppDeps {
    readonly segmentMembers: MembersFollower;
  }
}
