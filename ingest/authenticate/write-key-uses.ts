// Writes the last use of keys to Postgres, on the main thread, for all threads of the node. Times
// are rounded to the minute, so a busy key causes one write per minute. No request waits for it:
// while Postgres is unavailable, the latest use of each key is kept in memory.

import { type Log, messageOf, PostgresLink } from '../postgres/postgres-link.ts';

type KeyUseWriterOptions = {
  readonly databaseUrl: string;
  readonly clock: { nowMs(): number };
  readonly log: Log;
};

export class KeyUseWriter {
  readonly #options: KeyUseWriterOptions;
  readonly #link: PostgresLink;
  /** The minute of each key's latest use that is not yet in Postgres. */
  #pending = new Map<string, number>();
  /** The minutes that are already in Postgres. */
  readonly #written = new Map<string, number>();
  #writing: Promise<void> = Promise.resolve();

  constructor(options: KeyUseWriterOptions) {
    this.#options = options;
    const { databaseUrl, log } = options;
    this.#link = new PostgresLink({
      databaseUrl,
      name: 'ingest-key-uses',
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
      log,
    });
  }

  /** Records that these keys were just used. */
  note(keyIds: readonly string[]): void {
    const nowMs = this.#options.clock.nowMs();
    const minuteMs = nowMs - (nowMs % MINUTE_MS);
    for (const keyId of keyIds)
      if (this.#written.get(keyId) !== minuteMs) this.#pending.set(keyId, minuteMs);
    this.#writing = this.#writing.then(() => this.#write());
  }

  /** Writes pending uses if Postgres is available. */
  async stop(): Promise<void> {
    await this.#writing;
    await this.#link.stop();
  }

  async #write(): Promise<void> {
    if (this.#written.size > REMEMBERED_MAX) this.#written.clear();
    for (;;) {
      const { client } = this.#link;
      const some = [...this.#pending.entries().take(KEYS_PER_STATEMENT_MAX)];
      if (client === undefined || some.length === 0) return;
      try {
        await client.query({
          name: 'key-uses',
          text: UPDATE,
          values: [some.map(([keyId]) => keyId), some.map(([, minuteMs]) => minuteMs / 1000)],
        });
      } catch (error) {
        this.#options.log.warn(
          { reason: messageOf(error) },
          'last use of SDK keys not written, retrying',
        );
        this.#link.drop(client, error);
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

const MINUTE_MS = 60 * 1000;
/** A statement of a thousand rows by primary key takes about 20 ms. */
const STATEMENT_TIMEOUT_MS = 5_000;
const KEYS_PER_STATEMENT_MAX = 1_000;
/** About 100 bytes each. Beyond this number, keys are written more often than needed. */
const REMEMBERED_MAX = 100_000;
