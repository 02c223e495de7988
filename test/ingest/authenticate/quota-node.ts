// The parts of an ingest node that enforce caps: one board, its leases from Postgres, one worker's
// check.

import { CapCheck } from '../../../ingest/authenticate/check-caps.ts';
import type { DirectoryData } from '../../../ingest/authenticate/directory-data.ts';
import { QuotaLeases } from '../../../ingest/authenticate/lease-quota.ts';
import { createQuotaMemory, QuotaBoard } from '../../../ingest/authenticate/quota-board.ts';
import { QuotaSlots } from '../../../ingest/authenticate/quota-slots.ts';
import { PostgresLink } from '../../../ingest/postgres/postgres-link.ts';
import { buildDirectory } from './build-directory.ts';
import { silentLog } from './silent-log.ts';

/** Nothing listens at this address, so a node that uses it counts on its own from the start. */
export const NO_POSTGRES = 'postgres://nobody@127.0.0.1:1/none';

export type QuotaNode = {
  readonly board: QuotaBoard;
  readonly slots: QuotaSlots;
  readonly leases: QuotaLeases;
  readonly clock: { ms: number; nowMs(): number };
  readonly counts: { asked: number; alone: number; uncounted: number };
  /** Replaces the directory, as after an edit. */
  readonly use: (data: DirectoryData) => void;
  /** True if the amount was accepted; otherwise the number of seconds after which to retry. */
  readonly send: (writeKey: string, amount: number) => Promise<true | number>;
  readonly stop: () => Promise<void>;
};

export function startQuotaNode(
  databaseUrl: string,
  data: DirectoryData,
  nowMs: number,
  slotCount = 64,
): QuotaNode {
  const clock = { ms: nowMs, nowMs: () => clock.ms };
  const counts = { asked: 0, alone: 0, uncounted: 0 };
  const board = new QuotaBoard(createQuotaMemory(slotCount));
  const slots = new QuotaSlots(board, silentLog);
  const link = new PostgresLink({
    databaseUrl,
    name: 'quota-node',
    statementTimeoutMs: 1_000,
    log: silentLog,
  });
  const leases = new QuotaLeases({
    link,
    board,
    clock,
    log: silentLog,
    onCountedAlone: amount => {
      counts.alone += amount;
    },
  });
  const check = new CapCheck({
    board,
    askLease: request => {
      counts.asked++;
      // Cloned, as messages between threads are.
      return leases.ask(structuredClone(request));
    },
    onUncounted: amount => {
      counts.uncounted += amount;
    },
  });
  let directory = buildDirectory(data, slots.assign(data, nowMs));
  return {
    board,
    slots,
    leases,
    clock,
    counts,
    use: next => {
      directory = buildDirectory(next, slots.assign(next, clock.ms));
    },
    send: async (writeKey, amount) => {
      const refusal = await check.admit(directory.accountOf(writeKey)!, amount, clock.ms);
      return refusal === undefined ? true : refusal.retryAfterSeconds!;
    },
    stop: async () => {
      await leases.stop();
      await link.stop();
    },
  };
}

/** A simple model of one window: every node must reach the same result. */
export class PlainWindow {
  used = 0;
  readonly cap: number;

  constructor(cap: number) {
    this.cap = cap;
  }

  wouldTake(amount: number): boolean {
    return this.used === 0 || this.used + amount <= this.cap;
  }
}
