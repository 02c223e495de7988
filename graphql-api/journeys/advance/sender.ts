import type { EntityManager } from '@mikro-orm/postgresql';
import type { Rendered } from '../../templates/render.ts';
import type { ResolutionReason } from '../../templates/resolve-version.ts';

/** A rendered message to one contact. */
export type ResolvedSend = {
  /** Derived from the enrolment and the node, so that a channel can deduplicate. */
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

/**
 * Hands messages to their channels, in the transaction that advances the enrolments. An
 * implementation stores them and makes no external calls before the commit.
 */
export type Sender = {
  readonly take: (em: EntityManager, sends: readonly ResolvedSend[]) => Promise<void>;
};

/** Has no channels: sends are resolved, rendered and audited only. */
export const AUDIT_ONLY: Sender = { take: () => Promise.resolve() };
