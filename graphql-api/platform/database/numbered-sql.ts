import type { EntityManager } from '@mikro-orm/postgresql';
import { CompiledQuery, type Transaction } from 'kysely';

type NumberedSql = {
  // biome-ignore lint/suspicious/noExplicitAny: as pg-boss declares its adapters
  readonly executeSql: (text: string, values?: unknown[]) => Promise<{ rows: any[] }>;
};

/** Runs statements with $1, $2 …, such as those of pg-boss, in the EntityManager's transaction. */
export function numberedSql(em: EntityManager): NumberedSql {
  const transaction = em.getTransactionContext<Transaction<unknown>>();
  if (transaction === undefined) throw new Error('a statement was run outside of a transaction');
  return {
    executeSql: async (text, values = []) =>
      transaction.executeQuery(CompiledQuery.raw(text, values)),
  };
}
