// The Postgres connections of a worker thread. A connection runs one statement at a time, so
// workloads that must not wait for each other have their own: reads of requests, changes of
// requests, webhooks, the outbox.

import type { Log } from './postgres-link.ts';
import { PostgresLink } from './postgres-link.ts';

export type EdgeDatabase = {
  readonly questions: PostgresLink;
  readonly changes: PostgresLink;
  readonly webhooks: PostgresLink;
  readonly outbox: PostgresLink;
  readonly stop: () => Promise<void>;
};

/** A request's statement takes a millisecond or two. This is the longest wait of a client. */
const REQUEST_TIMEOUT_MS = 2_000;
/** A thousand rows into indexed tables, on a busy machine. */
const OUTBOX_TIMEOUT_MS = 30_000;

export function connectEdgeDatabase(databaseUrl: string, log: Log): EdgeDatabase {
  const link = (name: string, statementTimeoutMs: number) =>
    new PostgresLink({ databaseUrl, name, statementTimeoutMs, log });
  const questions = link('ingest-questions', REQUEST_TIMEOUT_MS);
  const changes = link('ingest-changes', REQUEST_TIMEOUT_MS);
  const webhooks = link('ingest-webhooks', REQUEST_TIMEOUT_MS);
  const outbox = link('ingest-outbox', OUTBOX_TIMEOUT_MS);
  return {
    questions,
    changes,
    webhooks,
    outbox,
    stop: async () => {
      await Promise.all([questions, changes, webhooks, outbox].map(each => each.stop()));
    },
  };
}
