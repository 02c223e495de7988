import { AuditEntry } from './audit-entry.entity.ts';
import type { AppDeps } from './context.ts';
import type { ActionScope } from './run-action.ts';

export type Change = {
  /** `sdk_key.create`: the noun, then what happened to it. */
  readonly action: string;
  readonly subjectType: string;
  readonly subjectId: string;
  /** Plain JSON without secrets; left out where there was nothing before, or is nothing after. */
  readonly before?: Readonly<Record<string, unknown>>;
  readonly after?: Readonly<Record<string, unknown>>;
  /** Of the subject, where it isn't the viewer's; null for what belongs to no organisation. */
  readonly organizationId?: string | null;
  readonly workspaceId?: string | null;
};

/** Whose change it is: an action's, a job's or an operator's. */
export type Changer = Pick<ActionScope, 'em' | 'viewer' | 'requestId'> & {
  readonly deps: Pick<AppDeps, 'clock' | 'newId'>;
};

/** Adds to the audit log, in the transaction of the change. */
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
    subjectType: change.subjectType,
    subjectId: change.subjectId,
    before: change.before ?? null,
    after: change.after ?? null,
    requestId,
    createdAt: new Date(deps.clock.nowMs()),
  });
}
