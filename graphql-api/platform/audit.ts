import { AuditEntry } from './audit-entry.entity.ts';
import type { AppDeps } from './context.ts';
import type { ActionScope } from './run-action.ts';

export type Change = {
  /** The noun and the verb, for example `sdk_key.create`. */
  readonly action: string;
  /** Defaults to the noun of the action. */
  readonly subjectType?: string;
  readonly subjectId: string;
  /** JSON without secrets. Omitted if the subject did not exist before, or does not exist after. */
  readonly before?: Readonly<Record<string, unknown>>;
  readonly after?: Readonly<Record<string, unknown>>;
  /** The organization of the subject if it is not the viewer's; null if it belongs to none. */
  readonly organizationId?: string | null;
  readonly workspaceId?: string | null;
};

/** The actor and the transaction of a change: an action, a job or an operator. */
type Changer = Pick<ActionScope, 'em' | 'viewer' | 'requestId'> & {
  readonly deps: Pick<AppDeps, 'clock' | 'newId'>;
};

/** Adds an entry to the audit log in the transaction of the change. */
export async function recordChange(
  { em, viewer, deps, requestId }: Changer,
  change: Change,
): Promise<void> {
  const { organizationId, workspaceId } = change;
  await em.insert(AuditEntry, {
    id: deps.newId(),
    organizationId: organizationId === undefined ? viewer.organizationId : organizationId,
    workspaceId: workspaceId === undefined ? (viewer.workspaceId ?? null) : workspaceId,
    actorId: viewer.userId,
    action: change.action,
    subjectType: change.subjectType ?? change.action.split('.')[0]!,
    subjectId: change.subjectId,
    before: change.before ?? null,
    after: change.after ?? null,
    requestId,
    createdAt: new Date(deps.clock.nowMs()),
  });
}
