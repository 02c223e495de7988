import type { EntityManager } from '@mikro-orm/postgresql';
import type { Rendered } from '../../templates/render.ts';
import type { ResolutionReason } from '../../templates/resolve-version.ts';

/** A message as one person is to get it. */
export type ResolvedSend = {
  /** Derived from the enrolment and the node: a channel that is told twice sends once. */
  readonly id: string;
  readonly enrolmentId: string;
  readonly journeyId: string;
  readonly workspaceId: string;
  readonly contactId: string;
  readonly userId: string;
  readonly nodeId: string;
  readonly templateId: string;
  readonly versionId: string;
  readonly versionNumber: number;
  readonly pinnedVersionId: string | undefined;
  readonly channel: string;
  readonly language: string;
  readonly reason: ResolutionReason;
  readonly rendered: Rendered;
};

/** What takes messages over to their channels, in the transaction that moves the people on: it writes
 * them where it finds them later, and talks to nobody before the commit. */
export type Sender = {
  readonly take: (em: EntityManager, sends: readonly ResolvedSend[]) => Promise<void>;
};

/** Without channels: a send is resolved, rendered and audited, and that is all. */
export const AUDIT_ONLY: Sender = { take: () => Promise.resolve() };
