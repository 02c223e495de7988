import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type { Pool, PoolClient } from 'pg';

/**
 * The pool as the ORM's stock driver takes it: each connection it hands out is for one transaction.
 * A statement that comes once the transaction is being ended is refused, since Postgres would run it
 * outside of any transaction, and as the system role across tenants. A COMMIT that Postgres answers
 * with ROLLBACK, because a statement failed and its error was caught, is an error.
 */
export function transactionPool(pool: Pool): PostgresPool {
  return {
    connect: async () =>
      new TransactionClient(await pool.connect()) as unknown as PostgresPoolClient,
    end: () => pool.end(),
    options: pool.options,
  };
}

class TransactionClient {
  readonly #client: PoolClient;
  #isEnding = false;
  #isReleased = false;
  /** The transaction's end failed: the connection is in an unknown state and is not used again. */
  #fault: Error | undefined;

  constructor(client: PoolClient) {
    this.#client = client;
  }

  async query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    if (sql === 'rollback') return this.#rollback();
    if (this.#isEnding) throw new Error('a statement after the end of its transaction');
    this.#isEnding = sql === 'commit';
    const result = await this.#client.query(sql, [...parameters]).catch((error: Error) => {
      // Kysely never releases a connection whose BEGIN failed.
      if (sql.startsWith('start transaction')) this.#giveBack(error);
      throw error;
    });
    if (sql === 'commit' && result.command !== 'COMMIT')
      throw new Error(`the transaction ended with ${result.command}`);
    return result as unknown as PostgresQueryResult<R>;
  }

  /** Never fails: a connection whose rollback fails is closed, which rolls back as well. */
  async #rollback<R>(): Promise<PostgresQueryResult<R>> {
    this.#isEnding = true;
    try {
      await this.#client.query('ROLLBACK');
    } catch (error) {
      this.#fault = error as Error;
    }
    return { command: 'SELECT', rowCount: 0, rows: [] };
  }

  release(): void {
    this.#giveBack(this.#fault);
  }

  #giveBack(fault: Error | undefined): void {
    if (!this.#isReleased) this.#client.release(fault);
    this.#isReleased = true;
  }
}
