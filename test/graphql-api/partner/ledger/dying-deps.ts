// Simulates the death of a process: after the Nth statement all calls fail and uncommitted changes
// are rolled back, as the server does when a connection breaks.

import type { EntityManager } from '@mikro-orm/postgresql';
import type { Kysely, KyselyPlugin } from 'kysely';
import type { AppDeps } from '../../../../graphql-api/platform/context.ts';

export class Died extends Error {}

export type Death =
  | { readonly afterStatement: number }
  /** Everything is committed, but the response is lost. */
  | { readonly after: 'commit' };

export type DyingDeps = { readonly deps: AppDeps; readonly statements: () => number };

export function dyingDeps(deps: AppDeps, death: Death): DyingDeps {
  let statements = 0;
  const last = 'afterStatement' in death ? death.afterStatement : Number.POSITIVE_INFINITY;
  const beforeStatement = () => {
    if (statements >= last) throw new Died();
  };
  const afterStatement = () => {
    statements++;
    if (statements >= last) throw new Died();
  };

  /** Counts statements that bypass the EntityManager's own methods. */
  const perStatement: KyselyPlugin = {
    transformQuery({ node }) {
      beforeStatement();
      return node;
    },
    async transformResult({ result }) {
      afterStatement();
      return result;
    },
  };

  function dying(em: EntityManager): EntityManager {
    return new Proxy(em, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== 'function') return member;
        const method = member.bind(target) as (...parameters: unknown[]) => unknown;
        if (name === 'getTransactionContext')
          return () => (method() as Kysely<unknown>).withPlugin(perStatement);
        if (name !== 'execute' && name !== 'insert') return method;
        return async (...parameters: unknown[]) => {
          beforeStatement();
          const result = await method(...parameters);
          afterStatement();
          return result;
        };
      },
    });
  }

  async function transaction<T>(run: () => Promise<T>): Promise<T> {
    beforeStatement();
    const result = await run();
    if ('after' in death) throw new Died();
    return result;
  }

  const { database } = deps;
  return {
    statements: () => statements,
    deps: {
      ...deps,
      database: {
        ...database,
        asTenant: (organizationId, work) =>
          transaction(() => database.asTenant(organizationId, em => work(dying(em)))),
        asSystem: work => transaction(() => database.asSystem(em => work(dying(em)))),
      },
    },
  };
}
