// Caps on a worker thread. The board in shared memory almost always decides immediately. A request waits for the
// main thread only when a lease is used up, about once a second per capped scope.

import { type Problem, problem } from '../../schema/values/problem.ts';
import type { Account, CountedLimit } from './directory.ts';
import type { QuotaBoard } from './quota-board.ts';

/** Requests a lease from the main thread: `need` events in this window, if available. */
export type LeaseRequest = {
  readonly slot: number;
  readonly scope: string;
  readonly windowStartMs: number;
  readonly windowMs: number;
  readonly need: number;
  readonly cap: number;
};

/** Settles when the board reflects the outcome. */
export type AskLease = (request: LeaseRequest) => Promise<void>;

type CheckCapsOptions = {
  readonly board: QuotaBoard;
  readonly askLease: AskLease;
  /**
   * Called with an amount that was admitted uncounted because the main thread did not respond. For
   * a metric.
   */
  readonly onUncounted: (amount: number) => void;
  /** Called with the account of a refused request. For a metric. */
  readonly onRefused?: (account: Account) => void;
};

export class CapCheck {
  readonly #options: CheckCapsOptions;

  constructor(options: CheckCapsOptions) {
    this.#options = options;
  }

  /**
   * Counts `amount` against all caps of the account, or against none of them and returns the cap
   * that was reached. `nowMs` is the time of receipt, which determines the windows.
   */
  admit(
    account: Account,
    amount: number,
    nowMs: number,
  ): Problem | undefined | Promise<Problem | undefined> {
    if (account.limits.length === 0 || amount <= 0) return undefined;
    const outcome = this.#tryNow(account.limits, amount, nowMs);
    if (outcome === NEEDS_LEASE)
      return this.#admitLater(account.limits, amount, nowMs).then(late =>
        this.#noted(account, late),
      );
    return this.#noted(account, outcome);
  }

  #noted(account: Account, outcome: Problem | undefined): Problem | undefined {
    if (outcome !== undefined) this.#options.onRefused?.(account);
    return outcome;
  }

  #tryNow(
    limits: readonly CountedLimit[],
    amount: number,
    nowMs: number,
  ): Problem | undefined | typeof NEEDS_LEASE {
    const { board } = this.#options;
    for (;;) {
      let needsLease = false;
      let refusedBy: CountedLimit | undefined;
      for (const limit of limits) {
        const verdict = board.judge(limit, amount, nowMs);
        if (verdict === 'needs-lease') needsLease = true;
        if (verdict === 'refused' && !isLonger(refusedBy, limit, nowMs)) refusedBy = limit;
      }
      // This check comes before the lease, so that a batch that is rejected anyway leases nothing.
      if (refusedBy !== undefined) return refusal(refusedBy, nowMs);
      if (needsLease) return NEEDS_LEASE;
      if (this.#takeAll(limits, amount, nowMs)) return undefined;
      // Another thread used part of the lease in between, so the counts have changed. Check again.
    }
  }

  #takeAll(limits: readonly CountedLimit[], amount: number, nowMs: number): boolean {
    const { board } = this.#options;
    for (let taken = 0; taken < limits.length; taken++) {
      if (board.take(limits[taken]!, amount, nowMs)) continue;
      for (let i = 0; i < taken; i++) board.giveBack(limits[i]!, amount, nowMs);
      return false;
    }
    return true;
  }

  /**
   * Holds nothing while it waits, so that other requests are never rejected for a batch that then
   * fails.
   */
  async #admitLater(
    limits: readonly CountedLimit[],
    amount: number,
    nowMs: number,
  ): Promise<Problem | undefined> {
    for (let round = 0; round < ROUNDS_MAX; round++) {
      const lacking = limits.filter(
        limit => this.#options.board.judge(limit, amount, nowMs) === 'needs-lease',
      );
      try {
        await Promise.all(lacking.map(limit => this.#ask(limit, amount, nowMs)));
      } catch {
        // The main thread is stopping or broken. Losing events is worse than exceeding a cap.
        this.#options.onUncounted(amount);
        return undefined;
      }
      const outcome = this.#tryNow(limits, amount, nowMs);
      if (outcome !== NEEDS_LEASE) return outcome;
    }
    return problem('RATE_LIMITED', undefined, 1);
  }

  #ask(limit: CountedLimit, need: number, nowMs: number): Promise<void> {
    const { slot, scope, windowMs, cap } = limit;
    const windowStartMs = nowMs - elapsedMs(windowMs, nowMs);
    return this.#options.askLease({ slot, scope, windowStartMs, windowMs, need, cap });
  }
}

const NEEDS_LEASE = 'needs-lease';

/**
 * Each round without a decision means that other requests were admitted. This many rounds in a row
 * indicate a bug.
 */
const ROUNDS_MAX = 100;

function isLonger(known: CountedLimit | undefined, limit: CountedLimit, nowMs: number): boolean {
  return known !== undefined && secondsLeft(known, nowMs) >= secondsLeft(limit, nowMs);
}

function secondsLeft(limit: CountedLimit, nowMs: number): number {
  const leftMs = limit.windowMs - elapsedMs(limit.windowMs, nowMs);
  return Math.max(1, Math.ceil(leftMs / 1000));
}

function elapsedMs(windowMs: number, nowMs: number): number {
  return nowMs - Math.floor(nowMs / windowMs) * windowMs;
}

function refusal(limit: CountedLimit, nowMs: number): Problem {
  const seconds = secondsLeft(limit, nowMs);
  return problem(
    'RATE_LIMITED',
    `The ${limit.name} of ${limit.cap} has been reached; retry after ${seconds} seconds.`,
    seconds,
  );
}
