// The one way to change something. An action is one business operation in one transaction of the
// viewer's organisation; it knows neither GraphQL nor HTTP.

import type { EntityManager } from '@mikro-orm/postgresql';
import { type Change, recordChange } from './audit.ts';
import type { AppDeps, Context } from './context.ts';
import { idempotently } from './idempotently.ts';
import { reject } from './rejected.ts';
import type { Viewer } from './viewer.ts';

/** Throws Rejected for what the caller can mend, which undoes all of it. */
export type Action<I, O> = (scope: ActionScope, input: I) => Promise<O>;

export type ActionScope = {
  /** Of the action's own transaction. No other may be used inside. */
  readonly em: EntityManager;
  readonly viewer: Viewer;
  readonly deps: AppDeps;
  readonly requestId: string;
  /** Who changed what, from what to what; in the same transaction. */
  readonly audit: (change: Change) => Promise<void>;
};

export type ActionOptions = {
  /** The action's name for clients, under which its idempotency keys are kept. */
  readonly operation?: string;
  readonly idempotencyKey?: string | undefined;
};

/** Under an idempotency key the result must be plain JSON: a repeat gets the stored copy. */
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
    if (operation === undefined) throw new Error('an idempotency key without an operation');
    return idempotently(scope, { operation, key: idempotencyKey, input }, () =>
      action(scope, input),
    );
  });
}

/** For platform admins: one transaction that sees every organisation. The action names the ones it
 * touches in its audit entries. */
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
