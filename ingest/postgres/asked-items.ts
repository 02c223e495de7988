// Reads and writes Postgres for the worker threads, on the main thread.

import pg from 'pg';
import type { AskedItem, ItemKind, ItemOutcome, ResultOf } from '../item-messages.ts';
import type { RequestGroups } from '../request-groups.ts';
import { PostgresUnavailable } from './grouped-statement.ts';
import { messageOf, type PostgresLink } from './postgres-link.ts';
import type { Statement } from './statement.ts';

type AskedItemsOptions = {
  readonly groups: RequestGroups;
  readonly outbox: Pick<PostgresLink, 'client'>;
  readonly tell: (thread: number, outcomes: readonly ItemOutcome[]) => void;
};

export class AskedItems {
  readonly #options: AskedItemsOptions;
  /** The outcomes of this turn of the event loop by thread, which are sent together. */
  readonly #untold = new Map<number, ItemOutcome[]>();

  constructor(options: AskedItemsOptions) {
    this.#options = options;
  }

  receive(thread: number, items: readonly AskedItem[]): void {
    for (const asked of items) void this.#settle(thread, asked);
  }

  async #settle(thread: number, asked: AskedItem): Promise<void> {
    const outcome = await this.#outcomeOf(asked);
    const untold = this.#untold.get(thread);
    if (untold !== undefined) {
      untold.push(outcome);
      return;
    }
    this.#untold.set(thread, [outcome]);
    setImmediate(() => {
      // Removed first: if sending throws, later outcomes are still sent.
      const outcomes = this.#untold.get(thread)!;
      this.#untold.delete(thread);
      this.#options.tell(thread, outcomes);
    });
  }

  async #outcomeOf(asked: AskedItem): Promise<ItemOutcome> {
    const { ask } = asked;
    try {
      return { ask, result: await this.#run(asked) };
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) return { ask, unavailable: messageOf(error) };
      const { message, code, detail } = error;
      return { ask, error: { message, code, detail } };
    }
  }

  #run({ kind, item }: AskedItem): Promise<ResultOf<ItemKind>> {
    if (kind === 'outbox') return this.#runOutbox(item);
    // The item is of the group's kind.
    return this.#options.groups[kind].add(item as never);
  }

  async #runOutbox(statement: Statement): Promise<ResultOf<'outbox'>> {
    const { client } = this.#options.outbox;
    if (client === undefined) throw new PostgresUnavailable('Not connected to Postgres.');
    const { rows, rowCount } = await client.query(statement);
    return { rows, rowCount };
  }
}
