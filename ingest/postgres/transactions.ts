// Runs transactions one after another on one connection. Every statement is in a transaction, because a
// pooler in transaction mode may run the next one on another connection: the timeout and the role are
// set for the transaction only. A transaction of one statement takes one round trip.

import pg from 'pg';
import type { PostgresClient, Rows, Statement } from './statement.ts';

type TransactionsOptions = {
  /** In pipeline mode. */
  readonly client: Pick<pg.Client, 'query'>;
  /** The role that the login switches to; undefined if it has the right one. */
  readonly role: string | undefined;
  /** The timeout of a statement, on both client and server, and of its wait for earlier transactions. */
  readonly timeoutMs: number;
  readonly monotonicMs: () => number;
  /** Called when the connection must not be used again. */
  readonly onFault: (error: unknown) => void;
};

type Settings = { readonly mode?: string; readonly timeoutMs: number };

export class Transactions implements PostgresClient {
  readonly #options: TransactionsOptions;
  #last: Promise<void> = Promise.resolve();
  #running = 0;
  #end: string | undefined;

  constructor(options: TransactionsOptions) {
    this.#options = options;
  }

  get isRunning(): boolean {
    return this.#running > 0;
  }

  /** Resolves once the statement is committed. */
  async query<Row extends Record<string, unknown>>(statement: Statement): Promise<Rows<Row>> {
    const timeoutMs = statement.timeoutMs ?? this.#options.timeoutMs;
    return this.#inTurn(timeoutMs, async () => {
      // Sent together, without waiting for a response. After an error of the statement, Postgres
      // answers the COMMIT with ROLLBACK.
      const [begun, ran, committed] = await Promise.allSettled([
        this.#send({ text: this.#begin({ timeoutMs }), timeoutMs }),
        this.#send({ ...statement, timeoutMs }),
        this.#send({ text: 'COMMIT', timeoutMs }),
      ]);
      // Without its transaction, the statement may have run with another role or timeout.
      if (begun.status === 'rejected') {
        this.#fail(begun.reason);
        throw new Error('The transaction did not begin.', { cause: begun.reason });
      }
      if (ran.status === 'rejected') throw ran.reason;
      if (committed.status === 'rejected') throw committed.reason;
      requireCommit(committed.value);
      return ran.value as unknown as Rows<Row>;
    });
  }

  /** If `work` throws, the connection is closed, which also rolls back. */
  transaction<T>(settings: Settings, work: (client: PostgresClient) => Promise<T>): Promise<T> {
    const send = async (statement: Statement) =>
      this.#send({ ...statement, timeoutMs: settings.timeoutMs });
    return this.#inTurn(settings.timeoutMs, async () => {
      try {
        await send({ text: this.#begin(settings) });
        const result = await work({
          query: async statement => (await send(statement)) as unknown as Rows<never>,
        });
        requireCommit(await send({ text: 'COMMIT' }));
        return result;
      } catch (error) {
        this.#fail(error);
        throw error;
      }
    });
  }

  /** Rejects all transactions that have not started yet, and all later ones. */
  end(reason: string): void {
    this.#end ??= reason;
  }

  async #inTurn<T>(waitMaxMs: number, run: () => Promise<T>): Promise<T> {
    const { monotonicMs } = this.#options;
    const earlier = this.#last;
    const finished = Promise.withResolvers<void>();
    this.#last = finished.promise;
    const sinceMs = monotonicMs();
    await earlier;
    try {
      if (this.#end !== undefined) throw new Error(this.#end);
      // Otherwise a slow database would keep the clients of all waiting requests.
      if (monotonicMs() - sinceMs > waitMaxMs) throw new Error('Earlier statements took too long.');
      this.#running++;
      try {
        return await run();
      } catch (error) {
        if (isFaultOfConnection(error)) this.#fail(error);
        throw error;
      } finally {
        this.#running--;
      }
    } finally {
      finished.resolve();
    }
  }

  #fail(error: unknown): void {
    this.end('The connection to Postgres was lost.');
    this.#options.onFault(error);
  }

  #begin({ mode = '', timeoutMs }: Settings): string {
    const { role } = this.#options;
    const switchRole = role === undefined ? '' : `; SET LOCAL ROLE ${role}`;
    return `BEGIN ${mode}; SET LOCAL statement_timeout = ${timeoutMs}${switchRole}`;
  }

  #send(statement: Statement & { timeoutMs: number }): Promise<pg.QueryResult> {
    const { text, values, timeoutMs } = statement;
    // The types of pg lack `query_timeout`. The client's own timeout is for a network that drops the
    // response, so it is longer.
    const query = { text, values, query_timeout: timeoutMs + ANSWER_MARGIN_MS };
    return this.#options.client.query(query as pg.QueryConfig);
  }
}

/** Postgres refused a change because the server is read-only, such as a former primary. */
const READ_ONLY = '25006';
const ANSWER_MARGIN_MS = 1_000;

/**
 * An error of a statement leaves the connection usable, and others may be waiting for it. All other
 * errors are of the socket or the driver, so the state of the connection is unknown. A read-only server
 * is left, because another connection may reach its successor.
 */
function isFaultOfConnection(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || error.code === READ_ONLY;
}

function requireCommit({ command }: pg.QueryResult): void {
  if (command !== 'COMMIT') throw new Error(`The transaction ended with ${command}.`);
}
