// Writes the last use of keys to Postgres, on the main thread, for all threads of the node. Times
// are rounded to the minute, so a busy key causes one write per minute. No request waits for it:
// while Postgres is unavailable, the latest use of each key is kept in memory.

import { MINUTE_MS } from '../../schema/values/durations.ts';
import { type Log, messageOf } from '../postgres/postgres-link.ts';
import type { PostgresClient } from '../postgres/statement.ts';

type KeyUseWriterOptions = {
  readonly clock: { nowMs(): number };
  readonly log: Log;
};

export class KeyUseWriter {
  readonly #options: KeyUseWriterOptions;
  /** The minute of each key's latest use that is not yet in Postgres. */
  #pending = new Map<string, number>();
  /** The minutes that are already in Postgres. */
  readonly #written = new Map<string, number>();
  #isDue = false;

  constructor(options: KeyUseWriterOptions) {
    this.#options = options;
  }

  /** Records that these keys were just used. */
  note(keyIds: readonly string[]): void {
    const nowMs = this.#options.clock.nowMs();
    const minuteMs = nowMs - (nowMs % MINUTE_MS);
    for (const keyId of keyIds)
      if (this.#written.get(keyId) !== minuteMs) this.#pending.set(keyId, minuteMs);
    this.#isDue = true;
  }

  /** Writes pending uses if any were recorded since the last call. Never rejects. */
  async write(client: PostgresClient): Promise<void> {
    if (!this.#isDue) return;
    this.#isDue = false;
    if (this.#written.size > REMEMBERED_MAX) this.#written.clear();
    for (;;) {
      const some = [...this.#pending.entries().take(KEYS_PER_STATEMENT_MAX)];
      if (some.length === 0) return;
      try {
        await client.query({
          text: UPDATE,
          values: [some.map(([keyId]) => keyId), some.map(([, minuteMs]) => minuteMs / 1000)],
          timeoutMs: STATEMENT_TIMEOUT_MS,
        });
      } catch (error) {
        this.#options.log.warn(
          { reason: messageOf(error) },
          'could not store when SDK keys were last used, retrying',
        );
        return;
      }
      for (const [keyId, minuteMs] of some) {
        this.#written.set(keyId, minuteMs);
        if (this.#pending.get(keyId) === minuteMs) this.#pending.delete(keyId);
      }
    }
  }
}

/**
 * Updates no column that is part of the directory, so no node reloads it. Rows are locked in one
 * order, so nodes cannot deadlock.
 */
const UPDATE = `
  UPDATE sdk_keys SET last_used_at = used.at
  FROM (
    SELECT key.id, to_timestamp(use.seconds) AS at
    FROM unnest($1::uuid[], $2::float8[]) AS use (id, seconds) JOIN sdk_keys key USING (id)
    WHERE key.last_used_at IS NULL OR key.last_used_at < to_timestamp(use.seconds)
    ORDER BY key.id FOR NO KEY UPDATE OF key
  ) used
  WHERE sdk_keys.id = used.id`;

/**
 * A statement of a thousand rows by primary key takes about 20 ms. Changes of the directory wait for it,
 * and it may wait for a lock.
 */
const STATEMENT_TIMEOUT_MS = 1_000;
const KEYS_PER_STATEMENT_MAX = 1_000;
/** About 100 bytes each. Beyond this number, keys are written more often than needed. */
const REMEMBERED_MAX = 100_000;
