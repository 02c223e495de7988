// Leases events of capped scopes from Postgres, on the main thread, for all threads of the node.
//
// While Postgres is away, a node goes on from the last totals it saw and leases from those by the
// same rule, so it never admits more than the cap in a window by itself; only the sum over several
// nodes may pass the cap, up to once per node. That holds for the whole outage, so it needs no
// second regime after some time: nobody is refused for the outage, nobody gets in uncounted, and
// from COUNTING_ALONE_ALARM_MS on it is an error in the log. What was leased alone is told to
// Postgres as soon as it is back. A lease whose answer was lost in the network may be
// counted twice: the error is to the strict side, and of one lease.

import { type Log, messageOf, PostgresLink, pause } from '../postgres/postgres-link.ts';
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

export type QuotaLeasesOptions = {
  readonly databaseUrl: string;
  readonly board: QuotaBoard;
  readonly clock: { nowMs(): number };
  readonly log: Log;
  /** This much was leased without Postgres; for a metric. */
  readonly onCountedAlone: (amount: number) => void;
};

/** All that is asked about one window while the previous answers are on their way. */
type Wish = { readonly request: LeaseRequest; readonly needs: number[]; cap: number };
type Prepared = { readonly wish: Wish; readonly cell: Cell; readonly wanted: Wanted };

export class QuotaLeases {
  readonly #options: QuotaLeasesOptions;
  readonly #link: PostgresLink;
  readonly #stopping = new AbortController();
  readonly #housekeeping: Promise<void>;
  readonly #demand = new DemandEstimate();
  readonly #debts = new QuotaDebts();
  #wishes = new Map<string, Wish>();
  /** The round that will serve what is asked now; it starts when the current one is over. */
  #nextRound: Promise<void> | undefined;
  #round: Promise<void> = Promise.resolve();
  #aloneSinceMs: number | undefined;
  #hasAlarmed = false;

  constructor(options: QuotaLeasesOptions) {
    this.#options = options;
    this.#link = new PostgresLink({
      databaseUrl: options.databaseUrl,
      name: 'ingest-quota',
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
      log: options.log,
    });
    this.#housekeeping = this.#keepHouse();
  }

  /** Settles when the board shows what could be leased. */
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
    await Promise.all([this.#link.stop(), this.#housekeeping]);
  }

  #ensureRound(): Promise<void> {
    this.#nextRound ??= this.#serveAfter(this.#round);
    return this.#nextRound;
  }

  async #serveAfter(previous: Promise<void>): Promise<void> {
    // A defect in one round must not end all later ones.
    await previous.catch(() => undefined);
    // At the start nobody has asked Postgres yet whether it is there.
    await this.#link.firstAttempt;
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

  /** Undefined when the board already answers everyone who asked. */
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
    const client = this.#link.client;
    if (client === undefined) return undefined;
    try {
      return await leaseFromPostgres(
        client,
        prepared.map(one => one.wanted),
      );
    } catch (error) {
      this.#link.drop(client, error);
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

  /** Before anything is leased again, so that the totals which come back have it all. */
  async #settle(): Promise<void> {
    const { clock, log } = this.#options;
    const client = this.#link.client;
    if (this.#aloneSinceMs === undefined || client === undefined) return;
    this.#debts.forgetOver(clock.nowMs());
    try {
      await this.#debts.settle(client);
    } catch (error) {
      this.#link.drop(client, error);
      return;
    }
    const aloneMs = clock.nowMs() - this.#aloneSinceMs;
    log.info({ aloneMs }, 'caps enforced across all nodes again');
    this.#aloneSinceMs = undefined;
    this.#hasAlarmed = false;
  }

  #noteAlone(nowMs: number): void {
    const { log } = this.#options;
    if (this.#aloneSinceMs === undefined) {
      this.#aloneSinceMs = nowMs;
      log.warn('Postgres unavailable: caps enforced by this node alone');
    } else if (!this.#hasAlarmed && nowMs - this.#aloneSinceMs >= COUNTING_ALONE_ALARM_MS) {
      this.#hasAlarmed = true;
      log.error(
        'Postgres still unavailable: caps enforced by this node alone, tenants may exceed them',
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
        this.#options.log.error({ err: error }, 'quota lease round failed');
      }
      if (performance.now() - prunedAtMs < PRUNE_INTERVAL_MS) continue;
      prunedAtMs = performance.now();
      await this.#prune(signal);
    }
  }

  async #prune(signal: AbortSignal): Promise<void> {
    for (let round = 0; round < PRUNE_ROUNDS_MAX && !signal.aborted; round++) {
      const client = this.#link.client;
      if (client === undefined) return;
      try {
        if ((await pruneQuotaWindows(client, this.#options.clock.nowMs())) < PRUNE_ROWS_MAX) return;
      } catch (error) {
        this.#options.log.warn(
          { reason: messageOf(error) },
          'old quota windows not removed, retrying',
        );
        this.#link.drop(client, error);
        return;
      }
    }
  }
}

function limitOf(wish: Wish) {
  const { slot, windowMs } = wish.request;
  return { slot, windowMs, cap: wish.cap };
}

/** What a request waits at most before the node counts alone; a lease takes about 1 ms. */
const STATEMENT_TIMEOUT_MS = 1_000;
/** Keeps the rows that one statement locks few. */
const WINDOWS_PER_STATEMENT_MAX = 200;
/** Long enough for a restart or a failover of Postgres. */
const COUNTING_ALONE_ALARM_MS = 5 * 60 * 1000;
/** How long others may not know of what this node leased alone. */
const HOUSEKEEPING_INTERVAL_MS = 500;
/** Each minute as many rows as that minute makes, for up to 20,000 capped scopes in use. */
const PRUNE_INTERVAL_MS = 60 * 1000;
const PRUNE_ROUNDS_MAX = 4;
