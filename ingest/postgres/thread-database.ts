// Postgres for a worker thread, through the connections of the main thread.

import pg from 'pg';
import type { AskedItem, ItemKind, ItemOf, ItemOutcome, ResultOf } from '../item-messages.ts';
import { PostgresUnavailable } from './grouped-statement.ts';
import type { PostgresClient, Rows, Statement } from './statement.ts';

type Open = {
  readonly resolve: (result: ResultOf<ItemKind>) => void;
  readonly reject: (error: Error) => void;
};

export class ThreadDatabase {
  /** Its client is undefined while disconnected. */
  readonly outbox: { readonly client: PostgresClient | undefined };
  readonly #send: (items: readonly AskedItem[]) => void;
  readonly #open = new Map<number, Open>();
  #isOutboxConnected = false;
  #isStopped = false;
  #count = 0;
  /** The items of this turn of the event loop, which are sent together. */
  #unsent: AskedItem[] = [];

  constructor(send: (items: readonly AskedItem[]) => void) {
    this.#send = send;
    const client: PostgresClient = {
      query: async <Row extends Record<string, unknown>>(statement: Statement) =>
        (await this.ask('outbox', statement)) as Rows<Row>,
    };
    const connected = () => (this.#isOutboxConnected ? client : undefined);
    this.outbox = {
      get client() {
        return connected();
      },
    };
  }

  setOutboxConnected(isConnected: boolean): void {
    this.#isOutboxConnected = isConnected;
  }

  /**
   * Resolves once the item is committed; rejects with PostgresUnavailable if that is not certain, and
   * with the error of Postgres if it refused the item.
   */
  ask<K extends ItemKind>(kind: K, item: ItemOf<K>): Promise<ResultOf<K>> {
    if (this.#isStopped) return Promise.reject(new PostgresUnavailable(STOPPING));
    const ask = this.#count++;
    if (this.#unsent.length === 0) setImmediate(() => this.#flush());
    this.#unsent.push({ ask, kind, item } as AskedItem);
    const { promise, resolve, reject } = Promise.withResolvers<ResultOf<ItemKind>>();
    this.#open.set(ask, { resolve, reject });
    return promise as Promise<ResultOf<K>>;
  }

  settle(outcomes: readonly ItemOutcome[]): void {
    for (const outcome of outcomes) {
      const open = this.#open.get(outcome.ask);
      this.#open.delete(outcome.ask);
      if ('result' in outcome) open?.resolve(outcome.result);
      else if ('unavailable' in outcome) open?.reject(new PostgresUnavailable(outcome.unavailable));
      else {
        const { message, code, detail } = outcome.error;
        open?.reject(
          Object.assign(new pg.DatabaseError(message, message.length, 'error'), { code, detail }),
        );
      }
    }
  }

  /** Rejects the items without an outcome, and all later ones. */
  stop(): void {
    this.#isStopped = true;
    this.#isOutboxConnected = false;
    for (const { reject } of this.#open.values()) reject(new PostgresUnavailable(STOPPING));
    this.#open.clear();
  }

  #flush(): void {
    // Emptied first: if sending throws, later items are still sent.
    const items = this.#unsent;
    this.#unsent = [];
    this.#send(items);
  }
}

const STOPPING = 'The thread is stopping.';
