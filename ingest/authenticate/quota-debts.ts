import type { ClientBase } from 'pg';
import { reportToPostgres } from './postgres-quota.ts';

type Debt = { readonly scope: string; readonly windowStartMs: number; endMs: number; owed: number };

/** What a node leased without Postgres and has still to tell it, so that others count it too. */
export class QuotaDebts {
  readonly #debts = new Map<string, Debt>();

  get size(): number {
    return this.#debts.size;
  }

  add(scope: string, windowStartMs: number, windowMs: number, amount: number): void {
    const key = `${scope} ${windowStartMs}`;
    const debt = this.#debts.get(key);
    if (debt !== undefined) debt.owed += amount;
    else {
      const endMs = windowStartMs + windowMs;
      this.#debts.set(key, { scope, windowStartMs, endMs, owed: amount });
    }
  }

  /** Nobody leases from windows that are over; without this a long outage would fill the memory. */
  forgetOver(nowMs: number): void {
    for (const [key, debt] of this.#debts) if (debt.endMs <= nowMs) this.#debts.delete(key);
  }

  /** Throws when it is unknown whether all arrived; they are told again then. */
  async settle(client: ClientBase): Promise<void> {
    while (this.#debts.size > 0) {
      const some = [...this.#debts].slice(0, DEBTS_PER_STATEMENT_MAX);
      await reportToPostgres(
        client,
        some.map(([, debt]) => debt),
      );
      // Nothing is added meanwhile: leases and settlements take turns.
      for (const [key] of some) this.#debts.delete(key);
    }
  }
}

/** Keeps the rows that one statement locks few. */
const DEBTS_PER_STATEMENT_MAX = 200;
