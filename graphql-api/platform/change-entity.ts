import { type EntityClass, type FilterQuery, LockMode } from '@mikro-orm/postgresql';
import type { Change } from './audit.ts';
import { workspaceOf } from './permit.ts';
import { notFound } from './rejected.ts';
import type { ActionScope } from './run-action.ts';

/**
 * Locks the entity until the end of the transaction, so that `before` in the audit log is the value
 * that the change replaces.
 */
export function lockEntity<T extends object>(
  { em }: ActionScope,
  entity: EntityClass<T>,
  where: NoInfer<FilterQuery<T>>,
): Promise<T | null> {
  const options = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;
  return em.findOne<T>(entity, where as never, options);
}

/** Same as `lockEntity`, for an entity of the viewer's workspace that must exist. */
export async function lockInWorkspace<
  T extends { readonly id: string; readonly workspaceId: string },
>(scope: ActionScope, entity: EntityClass<T>, id: string, noun: string): Promise<T> {
  const where = { id, workspaceId: workspaceOf(scope.viewer) };
  return (await lockEntity(scope, entity, where as never)) ?? notFound(noun, 'id');
}

type AuditedChange<T> = Omit<Change, 'subjectType' | 'subjectId' | 'before' | 'after'> & {
  /** The fields that the audit log shows. */
  readonly shown: (entity: T) => Readonly<Record<string, unknown>>;
  /** Additional fields that it shows in `after`. */
  readonly noted?: Readonly<Record<string, unknown>>;
};

/** Changes a locked entity and audits the change. Undefined values leave a field unchanged. */
export async function changeEntity<T extends { readonly id: string }>(
  { em, audit }: ActionScope,
  entity: T,
  values: { readonly [Name in keyof T]?: T[Name] | undefined },
  { shown, noted, ...change }: AuditedChange<T>,
): Promise<{ readonly id: string }> {
  const { id } = entity;
  const before = shown(entity);
  em.assign(entity, values as never, { ignoreUndefined: true });
  await em.flush();
  const after = { ...shown(entity), ...noted };
  await audit({ ...change, subjectId: id, before, after });
  return { id };
}
