// Runs actions. An action is one business operation in one transaction of the viewer's organization,
// independent of GraphQL and HTTP. All changes by clients are actions.

import type { EntityManager } from '@mikro-orm/postgresql';
import { type Change, recordChange } from './audit.ts';
import type { AppDeps, Context } from './context.ts';
import { idempotently } from './idempotently.ts';
import { reject } from './rejected.ts';
import type { Viewer } from './viewer.ts';

/** Throws Rejected for an error of the caller, which rolls back the transaction. */
export type Action<I, O> = (scope: ActionScope, input: I) => Promise<O>;

export type ActionScope = {
  /** The action's transaction. The action must not use another one. */
  readonly em: EntityManager;
  readonly viewer: Viewer;
  readonly deps: AppDeps;
  readonly requestId: string;
  /** Adds an entry to the audit log in the same transaction. */
  readonly audit: (change: Change) => Promise<void>;
};

type ActionOptions = {
  /** The public name of the action, the scope of its idempotency keys. */
  readonly operation?: string;
  readonly idempotencyKey?: string | undefined;
};

/** With an idempotency key the result must be JSON, because a repeat returns the stored copy. */
export async function runAction<I, O>(
  context: Context,
  action: Action<I, O>,
  input: I,
  options: ActionOptions = {},
): Promise<O> {
  const viewer = context.viewer ?? reject('UNAUTHENTICATED');
  await context.endRead();
  return context.deps.database.asTenant(viewer.organizationId, em => {
    const scope = createScope(context, viewer, em);
    const { operation, idempotencyKey } = options;
    if (idempotencyKey === undefined) return action(scope, input);
    if (operation === undefined) throw new Error('an idempotency key needs an operation');
    return idempotently(scope, { operation, key: idempotencyKey, input }, () =>
      action(scope, input),
    );
  });
}

/** Runs an action of a platform admin in a transaction that sees all organizations. The action names
 * the affected organization in its audit entries. */
export async function runPlatformAction<I, O>(
  context: Context,
  action: Action<I, O>,
  input: I,
): Promise<O> {
  const viewer = context.viewer ?? reject('UNAUTHENTICATED');
  if (!viewer.roles.has('platform_admin')) reject('FORBIDDEN');
  await context.endRead();
  return context.deps.database.asSystem(em => action(createScope(context, viewer, em), input));
}

function createScope(context: Context, viewer: Viewer, em: EntityManager): ActionScope {
  const { deps, requestId } = context;
  return {
    em,
    viewer,
    deps,
    requestId,
    audit: change => recordChange({ em, viewer, deps, requestId }, change),
  };
}
