import type { PostgresClient } from '../postgres/statement.ts';
import { reportToPostgres } from './postgres-quota.ts';

type Debt = { readonly scope: string; readonly windowStartMs: number; endMs: number; owed: number };

/**
 * Leases made without Postgres that still have to be added there, so that other nodes count them.
 */
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

  /**
   * Drops windows that have ended, which no node leases from. Otherwise a long outage would fill
   * the memory.
   */
  forgetOver(nowMs: number): void {
    for (const [key, debt] of this.#debts) if (debt.endMs <= nowMs) this.#debts.delete(key);
  }

  /** Throws if the outcome is unknown; these debts are then written again. */
  async settle(client: PostgresClient): Promise<void> {
    while (this.#debts.size > 0) {
      const some = [...this.#debts].slice(0, DEBTS_PER_STATEMENT_MAX);
      await reportToPostgres(
        client,
        some.map(([, debt]) => debt),
      );
      // No debts are added in the meantime, because leases and settlements alternate.
      for (const [key] of some) this.#debts.delete(key);
    }
  }
}

/** Limits the number of rows locked by one statement. */
const DEBTS_PER_STATEMENT_MAX = 200;
