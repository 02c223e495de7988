// The connections to Postgres for the work of all threads, on the main thread. A connection runs one
// transaction at a time, so workloads that must not wait for each other have their own:
// - questions: reads of requests, and leases of quotas. Reads wait for no lock, and a lease locks its
//   row for about a millisecond.
// - changes: writes of requests and webhooks. They are small, but may wait for a lock of the control
//   plane, which must hold up neither reads nor leases.
// - outbox: statements of many rows, for which no request waits.

import { type Log, PostgresLink } from './postgres-link.ts';

/**
 * A request's statement takes a millisecond or two. The limit applies to each wait: a request that has
 * waited longer for earlier groups is not run, a statement that has waited longer for its turn on the
 * connection is not sent, and none runs longer.
 */
export const REQUEST_TIMEOUT_MS = 2_000;
/** A thousand rows into indexed tables, on a busy machine. */
const OUTBOX_TIMEOUT_MS = 30_000;

type SharedLinksOptions = {
  readonly databaseUrl: string;
  readonly log: Log;
  readonly onOutbox: (isConnected: boolean) => void;
};

export class SharedLinks {
  readonly questions: PostgresLink;
  readonly changes: PostgresLink;
  readonly outbox: PostgresLink;

  constructor({ databaseUrl, log, onOutbox }: SharedLinksOptions) {
    const requests = { databaseUrl, log, statementTimeoutMs: REQUEST_TIMEOUT_MS };
    this.questions = new PostgresLink({ ...requests, name: 'ingest-questions' });
    this.changes = new PostgresLink({ ...requests, name: 'ingest-changes' });
    this.outbox = new PostgresLink({
      databaseUrl,
      name: 'ingest-outbox',
      statementTimeoutMs: OUTBOX_TIMEOUT_MS,
      log,
      onChange: () => onOutbox(this.isOutboxConnected),
    });
  }

  get isOutboxConnected(): boolean {
    return this.outbox.client !== undefined;
  }

  async stop(): Promise<void> {
    await Promise.all([this.questions, this.changes, this.outbox].map(link => link.stop()));
  }
}
