import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type { Pool, PoolClient, QueryResult } from 'pg';
import { telemetry } from '../../../schema/telemetry/telemetry.ts';
import { isConnectionError } from '../connection-error.ts';
import { answeredWithin } from './create-pool.ts';
import { BEGIN_TIMEOUT_MS } from './transaction-settings.ts';

/**
 * Adapts the pool to the driver of the ORM. Each connection is used for one transaction, which begins
 * with `settings`. A statement after the end of the transaction is rejected, because Postgres would run
 * it outside of any transaction. A COMMIT that ends in a ROLLBACK, because the error of an earlier
 * statement was caught, is an error.
 */
export function transactionPool(pool: Pool, settings: string, measure: Measure): PostgresPool {
  return {
    connect: async () => {
      const startedAtMs = performance.now();
      const client = await pool.connect();
      measure.waited(secondsSince(startedAtMs));
      return new TransactionClient(client, settings, measure) as unknown as PostgresPoolClient;
    },
    end: () => pool.end(),
    options: pool.options,
  };
}

export type Measure = {
  /** The wait for a connection. */
  waited(seconds: number): void;
  /** The time of a successful statement. */
  ran(seconds: number): void;
};

/**
 * The reason is not in the request, so a retry can succeed: a standby refuses transactions that may write.
 */
class TransactionNotBegun extends Error {
  readonly code = 'ERR_TRANSACTION_NOT_BEGUN';
}

const SQL_SHOWN_MAX = 2_000;

function secondsSince(startedAtMs: number): number {
  return (performance.now() - startedAtMs) / 1000;
}

class TransactionClient {
  readonly #client: PoolClient;
  readonly #settings: string;
  readonly #measure: Measure;
  #isEnding = false;
  #isReleased = false;
  /** Set if the connection is in an unknown state, so it is closed instead of reused. */
  #fault: Error | undefined;

  constructor(client: PoolClient, settings: string, measure: Measure) {
    this.#client = client;
    this.#settings = settings;
    this.#measure = measure;
  }

  async query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    if (sql === 'rollback') return this.#rollback();
    if (this.#isEnding) throw new Error('a statement was run after the end of its transaction');
    this.#isEnding = sql === 'commit';
    const startedAtMs = performance.now();
    const result = sql.startsWith('start transaction')
      ? await this.#begin(sql)
      : await this.#run(sql, parameters);
    this.#measure.ran(secondsSince(startedAtMs));
    telemetry()?.record({
      name: `postgres ${sql.trimStart().split(/\s/, 1)[0]?.toLowerCase()}`,
      kind: 'client',
      startedAtMs,
      // Parameterized, so it has no values.
      attributes: { 'db.system.name': 'postgresql', 'db.query.text': sql.slice(0, SQL_SHOWN_MAX) },
    });
    if (sql === 'commit' && result.command !== 'COMMIT')
      throw new Error(`the transaction ended with ${result.command}`);
    return result as unknown as PostgresQueryResult<R>;
  }

  async #run(sql: string, parameters: readonly unknown[]): Promise<QueryResult> {
    try {
      return await this.#client.query(sql, [...parameters]);
    } catch (error) {
      if (isConnectionError(error)) this.#fault = error as Error;
      throw error;
    }
  }

  /** In one message with the settings, so that they take no additional round trip. */
  async #begin(sql: string): Promise<QueryResult> {
    try {
      const text = `${sql}; ${this.#settings}`;
      return await this.#client.query(answeredWithin(BEGIN_TIMEOUT_MS, text));
    } catch (error) {
      // Kysely never releases a connection whose BEGIN failed.
      this.#giveBack(error as Error);
      throw new TransactionNotBegun((error as Error).message, { cause: error });
    }
  }

  /** Never fails. A connection whose rollback fails is closed, which also rolls back. */
  async #rollback<R>(): Promise<PostgresQueryResult<R>> {
    this.#isEnding = true;
    try {
      // On a connection that does not respond, a rollback would wait too.
      if (this.#fault === undefined) await this.#client.query('ROLLBACK');
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
