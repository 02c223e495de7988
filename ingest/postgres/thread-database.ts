// Postgres for a worker thread, through the connections of the main thread. Values of results are parsed
// here, so that the main thread spends little time on them.

import pg from 'pg';
import type { PostgresClient, Rows, Statement, TextRows } from './statement.ts';
import type {
  AskedStatement,
  LinkStates,
  SharedLink,
  StatementOutcome,
} from './statement-messages.ts';

export type ThreadLink = {
  /** Undefined while disconnected. */
  readonly client: PostgresClient | undefined;
};

type Open = { readonly resolve: (rows: TextRows) => void; readonly reject: (error: Error) => void };

export class ThreadDatabase implements Readonly<Record<SharedLink, ThreadLink>> {
  readonly questions = this.#link('questions');
  readonly changes = this.#link('changes');
  readonly outbox = this.#link('outbox');
  readonly #send: (statements: readonly AskedStatement[]) => void;
  readonly #open = new Map<number, Open>();
  #states: LinkStates | undefined;
  #count = 0;
  /** The statements of this turn of the event loop, which are sent together. */
  #unsent: AskedStatement[] = [];

  constructor(send: (statements: readonly AskedStatement[]) => void) {
    this.#send = send;
  }

  setStates(states: LinkStates): void {
    this.#states = states;
  }

  settle(ask: number, outcome: StatementOutcome): void {
    const open = this.#open.get(ask);
    this.#open.delete(ask);
    if ('rows' in outcome) open?.resolve(outcome.rows);
    else if ('unavailable' in outcome) open?.reject(new Error(outcome.unavailable));
    else {
      const { message, code, detail } = outcome.error;
      open?.reject(
        Object.assign(new pg.DatabaseError(message, message.length, 'error'), { code, detail }),
      );
    }
  }

  /** Rejects the statements without an outcome, and all later ones. */
  stop(): void {
    this.#states = undefined;
    for (const { reject } of this.#open.values()) reject(new Error('The thread is stopping.'));
    this.#open.clear();
  }

  #link(name: SharedLink): ThreadLink {
    const client: PostgresClient = {
      query: async <Row extends Record<string, unknown>>(statement: Statement) =>
        parsed<Row>(await this.#ask(name, statement)),
    };
    const isConnected = () => this.#states?.[name] === true;
    return {
      get client() {
        return isConnected() ? client : undefined;
      },
    };
  }

  #ask(link: SharedLink, statement: Statement): Promise<TextRows> {
    const ask = this.#count++;
    if (this.#unsent.length === 0) setImmediate(() => this.#flush());
    this.#unsent.push({ ...statement, ask, link });
    return new Promise((resolve, reject) => this.#open.set(ask, { resolve, reject }));
  }

  #flush(): void {
    this.#send(this.#unsent);
    this.#unsent = [];
  }
}

function parsed<Row>({ fields, rows, rowCount }: TextRows): Rows<Row> {
  const columns = fields.map(({ name, dataTypeID }) => ({
    name,
    parse: pg.types.getTypeParser(dataTypeID, 'text'),
  }));
  const toRow = (texts: readonly (string | null)[]) =>
    Object.fromEntries(
      columns.map(({ name, parse }, i) => [name, texts[i] == null ? null : parse(texts[i])]),
    ) as Row;
  return { rows: rows.map(toRow), rowCount };
}
