import type { EntityManager } from '@mikro-orm/postgresql';
import { CompiledQuery, type Transaction } from 'kysely';

const BEGIN = (timeoutMs: number) =>
  `SAVEPOINT limited; SET LOCAL statement_timeout = ${timeoutMs}`;
/** Also restores the previous time limit. */
const END = 'ROLLBACK TO SAVEPOINT limited; RELEASE SAVEPOINT limited';

/**
 * Runs reads with a shorter time limit, in the EntityManager's transaction, which can still be used if they
 * reach it. `read` must use its own EntityManager: the others wait until it ends, because a
 * statement between its failure and the end of the savepoint would fail too.
 */
export async function withinTimeLimit<T>(
  em: EntityManager,
  timeoutMs: number,
  read: (em: EntityManager) => Promise<T>,
): Promise<T> {
  const transaction = em.getTransactionContext<Transaction<unknown>>();
  if (transaction === undefined) throw new Error('a statement was run outside of a transaction');
  return transaction.getExecutor().provideConnection(async connection => {
    const own = em.fork();
    own.setTransactionContext({
      executeQuery: (query: CompiledQuery) => connection.executeQuery(query),
    });
    await connection.executeQuery(CompiledQuery.raw(BEGIN(timeoutMs)));
    try {
      return await read(own);
    } finally {
      await connection.executeQuery(CompiledQuery.raw(END));
    }
  });
}
