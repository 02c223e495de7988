// The connections to Postgres that all worker threads share, on the main thread. A connection runs one
// transaction at a time, so workloads that must not wait for each other have their own:
// - questions: reads of requests, and leases of quotas. Reads wait for no lock, and a lease locks its
//   row for about a millisecond.
// - changes: writes of requests and webhooks. They are small, but may wait for a lock of the control
//   plane, which must hold up neither reads nor leases.
// - outbox: statements of many rows, for which no request waits.

import pg from 'pg';
import { type Log, messageOf, PostgresLink } from './postgres-link.ts';
import {
  type AskedStatement,
  type LinkStates,
  SHARED_LINKS,
  type SharedLink,
  type StatementOutcome,
} from './statement-messages.ts';

/** A request's statement takes a millisecond or two. This is the longest wait of a client. */
const REQUEST_TIMEOUT_MS = 2_000;
/** A thousand rows into indexed tables, on a busy machine. */
const OUTBOX_TIMEOUT_MS = 30_000;

const TIMEOUTS_MS: Readonly<Record<SharedLink, number>> = {
  questions: REQUEST_TIMEOUT_MS,
  changes: REQUEST_TIMEOUT_MS,
  outbox: OUTBOX_TIMEOUT_MS,
};

type SharedLinksOptions = {
  readonly databaseUrl: string;
  readonly log: Log;
  readonly onChange: (states: LinkStates) => void;
};

export class SharedLinks {
  readonly #links: Readonly<Record<SharedLink, PostgresLink>>;

  constructor({ databaseUrl, log, onChange }: SharedLinksOptions) {
    this.#links = byName(
      link =>
        new PostgresLink({
          databaseUrl,
          name: `ingest-${link}`,
          statementTimeoutMs: TIMEOUTS_MS[link],
          log,
          onChange: () => onChange(this.states),
        }),
    );
  }

  get states(): LinkStates {
    return byName(link => this.#links[link].client !== undefined);
  }

  /** For leases, which the main thread makes for all threads. */
  get questions(): PostgresLink {
    return this.#links.questions;
  }

  async run({ link, text, values, timeoutMs }: AskedStatement): Promise<StatementOutcome> {
    const { client } = this.#links[link];
    if (client === undefined) return { unavailable: 'Not connected to Postgres.' };
    const statement = { text, ...(values && { values }), ...(timeoutMs && { timeoutMs }) };
    try {
      return { rows: await client.queryText(statement) };
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) return { unavailable: messageOf(error) };
      const { message, code, detail } = error;
      return { error: { message, code, detail } };
    }
  }

  async stop(): Promise<void> {
    await Promise.all(SHARED_LINKS.map(link => this.#links[link].stop()));
  }
}

function byName<T>(make: (link: SharedLink) => T): Readonly<Record<SharedLink, T>> {
  return { questions: make('questions'), changes: make('changes'), outbox: make('outbox') };
}
