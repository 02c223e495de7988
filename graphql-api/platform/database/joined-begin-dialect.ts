// How the ORM talks to Postgres. BEGIN, and what is set for the transaction, wait for its first
// statement and travel with it; the end of a transaction that only read travels with the connection's
// next one. So a request of one query costs one round trip instead of four, and a transaction that
// asks nothing costs none.

import {
  CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type DialectAdapter,
  type Driver,
  type Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryCompiler,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import type { Client, QueryResult as PgResult, Pool, PoolClient } from 'pg';
import { nameOfStatement } from './remembered-statements.ts';

/** The pool's clients must be pipelined. */
export class JoinedBeginDialect implements Dialect {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  createDriver(): Driver {
    return new JoinedBeginDriver(this.#pool);
  }

  createAdapter(): DialectAdapter {
    return new PostgresAdapter();
  }

  createQueryCompiler(): QueryCompiler {
    return new PostgresQueryCompiler();
  }

  // biome-ignore lint/suspicious/noExplicitAny: as kysely declares it
  createIntrospector(db: Kysely<any>): DatabaseIntrospector {
    return new PostgresIntrospector(db);
  }
}

const joined = new WeakSet<CompiledQuery>();

/** A statement without a result, to be sent before the next one, in the same message. */
export function joinedStatement(sql: string): CompiledQuery {
  const query = CompiledQuery.raw(sql);
  joined.add(query);
  return query;
}

class JoinedBeginDriver implements Driver {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<Connection> {
    return new Connection(await this.#pool.connect());
  }

  async beginTransaction(connection: Connection, settings: TransactionSettings): Promise<void> {
    connection.begin(settings);
  }

  async commitTransaction(connection: Connection): Promise<void> {
    await connection.commit();
  }

  async rollbackTransaction(connection: Connection): Promise<void> {
    await connection.rollback();
  }

  async releaseConnection(connection: Connection): Promise<void> {
    connection.release();
  }

  async destroy(): Promise<void> {
    await this.#pool.end();
  }
}

class Connection implements DatabaseConnection {
  readonly #client: PoolClient;
  /** Not sent yet. */
  #prelude = '';
  #isReadOnly = false;
  /** In a state that nobody knows, so it isn't used again. */
  #fault: Error | undefined;
  /** Being ended: what still came would be done outside of the transaction, for good. */
  #isOver = false;

  constructor(client: PoolClient) {
    this.#client = client;
  }

  begin({ isolationLevel, accessMode }: TransactionSettings): void {
    this.#isReadOnly = accessMode === 'read only';
    this.#prelude = `BEGIN${isolationLevel ? ` ISOLATION LEVEL ${isolationLevel}` : ''} ${accessMode ?? ''};`;
  }

  async commit(): Promise<void> {
    this.#isOver = true;
    if (this.#isUnused()) return;
    const { command } = await this.#client.query('COMMIT');
    // What Postgres answers when a statement failed and somebody went on all the same.
    if (command !== 'COMMIT') throw new Error(`the transaction ended with ${command}`);
  }

  /** Never fails: a connection whose rollback does is closed, which rolls back as well. */
  async rollback(): Promise<void> {
    this.#isOver = true;
    if (this.#isUnused()) return;
    if (this.#isReadOnly) {
      oweRollback(this.#client);
      return;
    }
    try {
      await this.#client.query('ROLLBACK');
    } catch (error) {
      this.#fault = error as Error;
    }
  }

  release(): void {
    this.#client.release(this.#fault);
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (joined.has(query)) {
      this.#prelude += `${query.sql};`;
      return { rows: [] };
    }
    if (this.#isOver) throw new Error('a statement after the end of its transaction');
    const { command, rowCount, rows } = await this.#send(query);
    const isChange = /^(?:INSERT|UPDATE|DELETE|MERGE)$/.test(command);
    return {
      rows: (rows ?? []) as R[],
      ...(isChange ? { numAffectedRows: BigInt(rowCount ?? 0) } : {}),
    };
  }

  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('queries are not streamed; ask for a page');
  }

  async #send({ sql, parameters }: CompiledQuery): Promise<PgResult> {
    const prelude = takeOwed(this.#client) + this.#prelude;
    this.#prelude = '';
    const values = [...parameters];
    const name = nameOfStatement(sql);
    const statement = name === undefined ? sql : { name, text: sql };
    if (prelude === '') return this.#client.query(statement, values);
    // With parameters, Postgres takes one statement a message.
    if (values.length > 0) {
      if (this.#isReadOnly) return this.#sendTogether(prelude, statement, values);
      await this.#client.query(prelude);
      return this.#client.query(statement, values);
    }
    const results = (await this.#client.query(prelude + sql)) as unknown as PgResult[];
    return results.at(-1)!;
  }

  /** Two messages in one write. Should the first one fail, the second is outside of a transaction and
   * its answer is thrown away, so it must not change anything. */
  async #sendTogether(
    prelude: string,
    statement: string | { name: string; text: string },
    values: unknown[],
  ): Promise<PgResult> {
    const { stream } = (this.#client as unknown as Client).connection;
    stream.cork();
    const both = [this.#client.query(prelude), this.#client.query(statement, values)] as const;
    stream.uncork();
    return (await Promise.all(both))[1];
  }

  #isUnused(): boolean {
    const isUnused = this.#prelude !== '';
    this.#prelude = '';
    return isUnused;
  }
}

/** No transaction that is over keeps its snapshot for longer, where no other follows. */
const OWED_MS = 5;

const owed = new WeakMap<PoolClient, NodeJS.Timeout>();

function oweRollback(client: PoolClient): void {
  const timer = setTimeout(() => {
    owed.delete(client);
    // Where it fails the connection is lost, which the pool is told of by itself.
    client.query('ROLLBACK').catch(() => undefined);
  }, OWED_MS);
  owed.set(client, timer);
}

/** What must precede the next statement. */
function takeOwed(client: PoolClient): string {
  const timer = owed.get(client);
  if (timer === undefined) return '';
  clearTimeout(timer);
  owed.delete(client);
  return 'ROLLBACK;';
}
