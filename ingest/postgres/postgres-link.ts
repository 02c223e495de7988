// A Postgres connection that may be down. Users request the client for each use and continue without
// it if it is undefined. The link closes a connection that failed, and reconnects indefinitely.

import { Socket } from 'node:net';
import pg from 'pg';
import type { Logger } from 'pino';
import { databaseLogin } from '../../schema/environment/database-urls.ts';
import { type Clock, systemClock } from '../clock.ts';
import { CONNECT_TIMEOUT_MS } from '../limits.ts';
import { Transactions } from './transactions.ts';

export type Log = Pick<Logger, 'info' | 'warn' | 'error'>;

type PostgresLinkOptions = {
  readonly databaseUrl: string;
  /** Shown in pg_stat_activity and in the log. */
  readonly name: string;
  readonly statementTimeoutMs: number;
  readonly log: Log;
  /** Called when the client has changed. */
  readonly onChange?: () => void;
  /** 0 to 1, for the jitter. */
  readonly random?: () => number;
  readonly clock?: Clock;
  /** The client is not connected yet. */
  readonly newClient?: (config: pg.ClientConfig) => pg.Client;
};

export class PostgresLink {
  readonly #options: PostgresLinkOptions;
  readonly #running: Promise<void>;
  readonly #firstAttempt = Promise.withResolvers<void>();
  readonly #stopping = new AbortController();
  #client: Transactions | undefined;
  #lose: ((reason: string) => void) | undefined;
  #complaint: string | undefined;

  constructor(options: PostgresLinkOptions) {
    this.#options = options;
    this.#running = this.#run();
  }

  /** Undefined while disconnected. */
  get client(): Transactions | undefined {
    return this.#client;
  }

  /** Settles once the first connection attempt has succeeded or failed. */
  get firstAttempt(): Promise<void> {
    return this.#firstAttempt.promise;
  }

  /**
   * Replaces the connection with a new one. If a transaction failed on its connection, this has already
   * happened.
   */
  drop(client: Transactions, error: unknown): void {
    if (client === this.#client) this.#lose?.(messageOf(error));
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#lose?.('stopping');
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    const { clock = systemClock } = this.#options;
    let failures = 0;
    while (!signal.aborted) {
      const startedAtMs = clock.monotonicMs();
      await this.#connectOnce();
      this.#firstAttempt.resolve();
      // A connection that is lost soon after counts as a failure; otherwise a database that rejects
      // connections would be retried without a pause.
      const lastedMs = clock.monotonicMs() - startedAtMs;
      failures = lastedMs > LASTING_CONNECTION_MS ? 1 : failures + 1;
      await clock.sleep(this.#backOffMs(failures), signal);
    }
  }

  /** Resolves when the connection is lost or could not be opened. */
  async #connectOnce(): Promise<void> {
    const { databaseUrl, name, newClient = pgClient } = this.#options;
    const { url, role } = databaseLogin(databaseUrl);
    const socket = new Socket();
    // The only startup parameter is one that poolers track.
    const client = newClient({
      connectionString: url,
      application_name: name,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      pipeline: true,
      stream: () => socket,
    });
    const lost = Promise.withResolvers<string>();
    client.on('error', error => lost.resolve(messageOf(error)));
    client.on('end', () => lost.resolve('the connection was closed'));
    try {
      await client.connect();
    } catch (error) {
      this.#complain(messageOf(error));
      void client.end().catch(() => undefined);
      return;
    }
    const transactions = this.#transactionsOn(client, role, lost.resolve);
    if (!this.#stopping.signal.aborted) {
      this.#complaint = undefined;
      this.#options.log.info({ link: name }, 'connected to Postgres');
      this.#use(transactions, lost.resolve);
      this.#firstAttempt.resolve();
      this.#complain(await lost.promise);
      this.#use(undefined, undefined);
    }
    transactions.end('The connection to Postgres was lost.');
    void client.end().catch(() => undefined);
    // The driver would wait for the response to a running statement.
    if (transactions.isRunning) socket.destroy();
  }

  #transactionsOn(
    client: pg.Client,
    role: string | undefined,
    lose: (reason: string) => void,
  ): Transactions {
    const { statementTimeoutMs, clock = systemClock } = this.#options;
    return new Transactions({
      client,
      role,
      timeoutMs: statementTimeoutMs,
      monotonicMs: () => clock.monotonicMs(),
      onFault: error => lose(messageOf(error)),
    });
  }

  #use(client: Transactions | undefined, lose: ((reason: string) => void) | undefined): void {
    this.#client = client;
    this.#lose = lose;
    this.#options.onChange?.();
  }

  /** Logs once per cause, so that an outage of hours does not log a line per attempt. */
  #complain(reason: string): void {
    if (this.#stopping.signal.aborted || reason === this.#complaint) return;
    this.#complaint = reason;
    this.#options.log.warn(
      { link: this.#options.name, reason },
      'Postgres connection failed, retrying',
    );
  }

  #backOffMs(failures: number): number {
    const { random = Math.random } = this.#options;
    const ceilingMs = Math.min(BACK_OFF_MAX_MS, BACK_OFF_MIN_MS * 2 ** Math.min(failures, 16));
    return ceilingMs * (0.5 + random() / 2);
  }
}

function pgClient(config: pg.ClientConfig): pg.Client {
  return new pg.Client(config);
}

/**
 * Short enough to reconnect quickly after a restart of Postgres, and long enough not to be a burden
 * during an outage.
 */
const BACK_OFF_MIN_MS = 50;
const BACK_OFF_MAX_MS = 1_000;
const LASTING_CONNECTION_MS = 10_000;

/** Resolves early, without an error, if the signal is aborted. */
export function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) return resolve();
    const finish = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, durationMs);
    signal.addEventListener('abort', finish);
  });
}

export function messageOf(error: unknown): string {
  // Node reports several failed addresses of one host as an AggregateError without a message.
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
