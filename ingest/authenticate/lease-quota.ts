// Leases events of capped scopes from Postgres, on the main thread, for all threads of the node.
//
// While Postgres is unavailable, a node continues from the last known totals and leases from them
// by the same rule. So a node alone never admits more than the cap in a window; only the sum over
// several nodes may exceed the cap, by at most one cap per node. This bound holds for the whole
// outage: no request is rejected because of the outage, every event is counted, and after
// COUNTING_ALONE_ALARM_MS an error is logged. Leases made alone are added to Postgres as soon as it
// is back. A lease whose response was lost in the network may be counted twice; this error makes
// the cap stricter and is limited to one lease.

import { type Log, messageOf, type PostgresLink, pause } from '../postgres/postgres-link.ts';
import type { AskLease, LeaseRequest } from './check-caps.ts';
import {
  type Lease,
  leaseFromPostgres,
  PRUNE_ROWS_MAX,
  pruneQuotaWindows,
  type Wanted,
} from './postgres-quota.ts';
import { judge, leaseFrom } from './quota-arithmetic.ts';
import type { Cell, QuotaBoard } from './quota-board.ts';
import { QuotaDebts } from './quota-debts.ts';
import { DemandEstimate } from './quota-demand.ts';

type QuotaLeasesOptions = {
  /** Requests wait for it, so it must not run slow statements. */
  readonly link: PostgresLink;
  readonly board: QuotaBoard;
  readonly clock: { nowMs(): number };
  readonly log: Log;
  /** Called with the amount leased without Postgres. For a metric. */
  readonly onCountedAlone: (amount: number) => void;
};

/** All requests for one window that wait while an earlier round is in progress. */
type Wish = { readonly request: LeaseRequest; readonly needs: number[]; cap: number };
type Prepared = { readonly wish: Wish; readonly cell: Cell; readonly wanted: Wanted };

export class QuotaLeases {
  readonly #options: QuotaLeasesOptions;
  readonly #stopping = new AbortController();
  readonly #housekeeping: Promise<void>;
  readonly #demand = new DemandEstimate();
  readonly #debts = new QuotaDebts();
  #wishes = new Map<string, Wish>();
  /** The round that will serve new requests. It starts when the current one ends. */
  #nextRound: Promise<void> | undefined;
  #round: Promise<void> = Promise.resolve();
  #aloneSinceMs: number | undefined;
  #hasAlarmed = false;

  constructor(options: QuotaLeasesOptions) {
    this.#options = options;
    this.#housekeeping = this.#keepHouse();
  }

  /** Settles when the board reflects the lease. */
  readonly ask: AskLease = request => {
    const key = `${request.scope} ${request.windowStartMs}`;
    const wish = this.#wishes.get(key);
    if (wish === undefined) {
      this.#wishes.set(key, { request, needs: [request.need], cap: request.cap });
    } else {
      wish.needs.push(request.need);
      wish.cap = request.cap;
    }
    return this.#ensureRound();
  };

  /** Since when leases are made without Postgres; undefined while they are shared. */
  get aloneSinceMs(): number | undefined {
    return this.#aloneSinceMs;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#nextRound;
    await this.#housekeeping;
  }

  #ensureRound(): Promise<void> {
    this.#nextRound ??= this.#serveAfter(this.#round);
    return this.#nextRound;
  }

  async #serveAfter(previous: Promise<void>): Promise<void> {
    // A bug in one round must not stop all later ones.
    await previous.catch(() => undefined);
    // At start the state of Postgres is not known yet.
    await this.#options.link.firstAttempt;
    const wishes = [...this.#wishes.values()];
    this.#wishes = new Map();
    this.#round = this.#nextRound!;
    this.#nextRound = undefined;
    await this.#settle();
    for (let from = 0; from < wishes.length; from += WINDOWS_PER_STATEMENT_MAX) {
      await this.#lease(wishes.slice(from, from + WINDOWS_PER_STATEMENT_MAX));
    }
  }

  async #lease(wishes: readonly Wish[]): Promise<void> {
    const nowMs = this.#options.clock.nowMs();
    const prepared = wishes
      .map(wish => this.#prepare(wish, nowMs))
      .filter(one => one !== undefined);
    if (prepared.length === 0) return;
    const leases = (await this.#leaseShared(prepared)) ?? this.#leaseAlone(prepared, nowMs);
    for (const [i, { wish, wanted }] of prepared.entries()) {
      const { granted, total } = leases[i]!;
      this.#options.board.addLease(limitOf(wish), wanted.windowStartMs, granted, total);
    }
  }

  /** Undefined if the board can already serve all requests. */
  #prepare(wish: Wish, nowMs: number): Prepared | undefined {
    const { scope, slot, windowStartMs } = wish.request;
    const { cap } = wish;
    const cell = this.#options.board.open(limitOf(wish), windowStartMs);
    const { used, granted, total } = cell;
    const open = wish.needs.filter(
      need => judge(used, granted, total, need, cap) === 'needs-lease',
    );
    if (open.length === 0) return undefined;
    const missing = (amount: number) => used + amount - granted;
    const need = missing(Math.min(...open));
    const all = missing(wish.needs.reduce((sum, amount) => sum + amount, 0));
    const perSecond = this.#demand.perSecond(slot, windowStartMs, used, nowMs);
    const want = Math.max(need, all, perSecond);
    return { wish, cell, wanted: { scope, windowStartMs, need, want, cap } };
  }

  async #leaseShared(prepared: readonly Prepared[]): Promise<Lease[] | undefined> {
    const client = this.#options.link.client;
    if (client === undefined) return undefined;
    try {
      return await leaseFromPostgres(
        client,
        prepared.map(one => one.wanted),
      );
    } catch {
      return undefined;
    }
  }

  #leaseAlone(prepared: readonly Prepared[], nowMs: number): Lease[] {
    this.#noteAlone(nowMs);
    return prepared.map(({ wish, cell, wanted }) => {
      const granted = leaseFrom(cell.total, wanted.need, wanted.want, wanted.cap);
      if (granted > 0) {
        this.#debts.add(wanted.scope, wanted.windowStartMs, wish.request.windowMs, granted);
        this.#options.onCountedAlone(granted);
      }
      return { granted, total: cell.total + granted };
    });
  }

  /** Runs before new leases, so that the totals returned by Postgres include these debts. */
  async #settle(): Promise<void> {
    const { clock, log } = this.#options;
    const client = this.#options.link.client;
    if (this.#aloneSinceMs === undefined || client === undefined) return;
    this.#debts.forgetOver(clock.nowMs());
    try {
      await this.#debts.settle(client);
    } catch {
      return;
    }
    const aloneMs = clock.nowMs() - this.#aloneSinceMs;
    log.info({ aloneMs }, 'Postgres available again: caps are enforced across all nodes');
    this.#aloneSinceMs = undefined;
    this.#hasAlarmed = false;
  }

  #noteAlone(nowMs: number): void {
    const { log } = this.#options;
    if (this.#aloneSinceMs === undefined) {
      this.#aloneSinceMs = nowMs;
      log.warn('Postgres unavailable: this node enforces caps based only on its own counts');
    } else if (!this.#hasAlarmed && nowMs - this.#aloneSinceMs >= COUNTING_ALONE_ALARM_MS) {
      this.#hasAlarmed = true;
      log.error(
        'Postgres still unavailable: this node enforces caps based only on its own counts, so tenants may exceed them',
      );
    }
  }

  async #keepHouse(): Promise<void> {
    const { signal } = this.#stopping;
    let prunedAtMs = performance.now();
    for (;;) {
      await pause(HOUSEKEEPING_INTERVAL_MS, signal);
      if (signal.aborted) return;
      this.#debts.forgetOver(this.#options.clock.nowMs());
      try {
        if (this.#aloneSinceMs !== undefined) await this.#ensureRound();
      } catch (error) {
        this.#options.log.error({ err: error }, 'could not lease quotas from Postgres, retrying');
      }
      if (performance.now() - prunedAtMs < PRUNE_INTERVAL_MS) continue;
      prunedAtMs = performance.now();
      await this.#prune(signal);
    }
  }

  async #prune(signal: AbortSignal): Promise<void> {
    for (let round = 0; round < PRUNE_ROUNDS_MAX && !signal.aborted; round++) {
      const client = this.#options.link.client;
      if (client === undefined) return;
      try {
        if ((await pruneQuotaWindows(client, this.#options.clock.nowMs())) < PRUNE_ROWS_MAX) return;
      } catch (error) {
        this.#options.log.warn(
          { reason: messageOf(error) },
          'could not remove old quota windows, retrying',
        );
        return;
      }
    }
  }
}

function limitOf(wish: Wish) {
  const { slot, windowMs } = wish.request;
  return { slot, windowMs, cap: wish.cap };
}

/** Limits the number of rows locked by one statement. */
const WINDOWS_PER_STATEMENT_MAX = 200;
/** Long enough for a restart or a failover of Postgres. */
const COUNTING_ALONE_ALARM_MS = 5 * 60 * 1000;
/** The longest time during which other nodes do not see the leases made alone. */
const HOUSEKEEPING_INTERVAL_MS = 500;
/** Removes per minute as many rows as are created, for up to 20,000 capped scopes in use. */
const PRUNE_INTERVAL_MS = 60 * 1000;
const PRUNE_ROUNDS_MAX = 20;
