// Groups small changes of many requests into few statements: while one statement is running,
// further items wait and then run together. Under load groups grow and the cost per item falls; an
// idle service runs each item at once. Each caller receives the outcome of its own item, after the
// commit.

import { isRefusalOfData } from './refusal-of-data.ts';
import type { PostgresClient } from './statement.ts';

type GroupedStatementOptions<Item, Result> = {
  /** Undefined while disconnected. */
  readonly client: () => PostgresClient | undefined;
  /**
   * Runs one statement, or one transaction, for all items; returns a result per item in the same
   * order.
   */
  readonly run: (client: PostgresClient, items: readonly Item[]) => Promise<readonly Result[]>;
  /** The maximum number of items per statement. */
  readonly groupMax: number;
  /**
   * The maximum number of waiting items. Further items are rejected, because the database cannot
   * keep up.
   */
  readonly waitingMax: number;
  /**
   * The maximum time that an item waits for earlier statements. After that it is rejected, because
   * its client will not wait much longer.
   */
  readonly waitMaxMs: number;
  /** Called with the time of each committed item, including its wait for earlier statements. */
  readonly onCommitted?: (seconds: number) => void;
};

/** Postgres is unavailable or too slow; the outcome is unknown. The client may retry. */
export class PostgresUnavailable extends Error {}

type Waiter<Item, Result> = {
  readonly item: Item;
  readonly sinceMs: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
};

export class GroupedStatement<Item, Result> {
  private readonly options: GroupedStatementOptions<Item, Result>;
  private waiting: Waiter<Item, Result>[] = [];
  private isRunning = false;

  constructor(options: GroupedStatementOptions<Item, Result>) {
    this.options = options;
  }

  /**
   * Resolves once the item is committed; rejects with PostgresUnavailable if that is not certain.
   */
  add(item: Item): Promise<Result> {
    if (this.options.client() === undefined)
      return Promise.reject(new PostgresUnavailable('Not connected to Postgres.'));
    if (this.waiting.length >= this.options.waitingMax)
      return Promise.reject(new PostgresUnavailable('Too many requests are waiting for Postgres.'));
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, sinceMs: performance.now(), resolve, reject });
      if (!this.isRunning) void this.runAll();
    });
  }

  /** Never rejects. */
  private async runAll(): Promise<void> {
    this.isRunning = true;
    // Lets requests that are read in this turn of the event loop join the first group.
    await new Promise<void>(resolve => setImmediate(resolve));
    while (this.waiting.length > 0) {
      const group = this.waiting.splice(0, this.options.groupMax);
      await this.runGroup(group);
    }
    this.isRunning = false;
  }

  /** Returns false if Postgres is unavailable. */
  private async runGroup(waiters: readonly Waiter<Item, Result>[]): Promise<boolean> {
    const group = this.rejectLate(waiters);
    if (group.length === 0) return true;
    const client = this.options.client();
    if (client === undefined) {
      rejectAll(group, new PostgresUnavailable('The connection to Postgres was lost.'));
      return false;
    }
    try {
      const items = group.map(({ item }) => item);
      const results = await this.options.run(client, items);
      const nowMs = performance.now();
      for (const [index, { resolve, sinceMs }] of group.entries()) {
        resolve(results[index]!);
        this.options.onCommitted?.((nowMs - sinceMs) / 1000);
      }
      return true;
    } catch (error) {
      if (isRefusalOfData(error)) return this.refuse(group, error);
      rejectAll(group, new PostgresUnavailable(String(error), { cause: error }));
      return false;
    }
  }

  /** Rejects the items that have waited too long, and returns the others. */
  private rejectLate(group: readonly Waiter<Item, Result>[]): readonly Waiter<Item, Result>[] {
    const sinceMinMs = performance.now() - this.options.waitMaxMs;
    const late = group.filter(({ sinceMs }) => sinceMs < sinceMinMs);
    if (late.length === 0) return group;
    rejectAll(late, new PostgresUnavailable('Earlier statements took too long.'));
    return group.filter(({ sinceMs }) => sinceMs >= sinceMinMs);
  }

  /**
   * A fault in one item must not fail the others of its group. Halves the group until the refused item
   * is alone, so that few statements are needed for the others.
   */
  private async refuse(group: readonly Waiter<Item, Result>[], error: unknown): Promise<boolean> {
    if (group.length === 1) {
      group[0]!.reject(error);
      return true;
    }
    const half = Math.ceil(group.length / 2);
    if (await this.runGroup(group.slice(0, half))) return this.runGroup(group.slice(half));
    rejectAll(group.slice(half), new PostgresUnavailable('An earlier statement failed.'));
    return false;
  }
}

function rejectAll(group: readonly Pick<Waiter<unknown, unknown>, 'reject'>[], error: Error): void {
  for (const { reject } of group) reject(error);
}
