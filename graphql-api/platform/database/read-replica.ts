import { setTimeout as wait } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { answeredWithin } from './create-pool.ts';

type ReadReplicaOptions = {
  readonly primary: Pick<Pool, 'query'>;
  readonly replica: Pick<Pool, 'query'>;
  readonly log: Pick<Logger, 'warn'>;
  readonly nowMs: () => number;
};

type ReadReplica = {
  /**
   * Whether a transaction on the replica sees all changes that were committed before this call, by any
   * process. Waits a moment for the replica.
   */
  isCurrent(): Promise<boolean>;
  /** Stops using the replica for a while. */
  rest(reason: string): void;
};

/** A replica usually lags by a few milliseconds. A read that waits longer is slower than on the primary. */
const CATCH_UP_MS = 100;
const POLL_MS = 5;
/** For a replica that does not respond. */
const ANSWER_TIMEOUT_MS = 1_000;
/**
 * How long reads go to the primary, without waiting for the replica, after it was unavailable or
 * behind.
 */
const REST_MS = 5_000;

/**
 * Compares the end of the log of the primary with the position that the replica has applied, so that a
 * user who reads after a change sees it, whichever process made the change.
 */
export function createReadReplica(options: ReadReplicaOptions): ReadReplica {
  const { primary, replica, log, nowMs } = options;
  let restsUntilMs = Number.NEGATIVE_INFINITY;
  const rest = (reason: string) => {
    if (nowMs() >= restsUntilMs) log.warn({ reason }, 'reads temporarily go to the primary');
    restsUntilMs = nowMs() + REST_MS;
  };

  async function catchesUp(position: string): Promise<boolean> {
    const deadlineMs = nowMs() + CATCH_UP_MS;
    const question = { ...answeredWithin(ANSWER_TIMEOUT_MS, HAS_APPLIED), values: [position] };
    for (;;) {
      const { rows } = await replica.query<{ isCurrent: boolean | null }>(question);
      if (rows[0]?.isCurrent) return true;
      if (nowMs() >= deadlineMs) return false;
      await wait(POLL_MS);
    }
  }

  return {
    rest,
    async isCurrent() {
      if (nowMs() < restsUntilMs) return false;
      const { rows } = await primary.query<{ position: string }>(END_OF_LOG);
      try {
        if (await catchesUp(rows[0]!.position)) return true;
        rest('the replica is behind the primary');
      } catch (error) {
        rest((error as Error).message);
      }
      return false;
    },
  };
}

/** Commits are acknowledged when they are flushed. */
const END_OF_LOG = 'SELECT pg_current_wal_flush_lsn() AS position';

/** A replica that no longer follows a primary may have applied a log that another one has discarded. */
const HAS_APPLIED = `
  SELECT pg_is_in_recovery() AND EXISTS (SELECT FROM pg_stat_wal_receiver)
         AND pg_last_wal_replay_lsn() >= $1::pg_lsn AS "isCurrent"`;
