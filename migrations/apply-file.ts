// Applies one file to Postgres so that requests do not pile up behind it.

import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { splitPostgresStatements } from './postgres-sql.ts';
import { label, type SqlFile } from './sql-files.ts';

/**
 * A statement that waits for a lock makes all later requests to its table wait too. This is well below
 * the 5 s after which the API gives up waiting.
 */
const LOCK_TIMEOUT_MS = 1_000;
/** Waiting requests are served in this time. */
const PAUSE_MS = 2_000;
/** About ten minutes. */
const ATTEMPTS_MAX = 200;
const LOCK_NOT_AVAILABLE = '55P03';
/** The first line of a file with statements that Postgres can only run outside of a transaction. */
const WITHOUT_TRANSACTION = /^-- @without-transaction\s*$/m;

export type HowToApply = {
  readonly log: (line: string) => void;
  readonly signal: AbortSignal | undefined;
};

/** Applies the file in one transaction with its record. Tries again if a lock is not available. */
export async function applyFile(client: pg.Client, file: SqlFile, how: HowToApply): Promise<void> {
  try {
    if (isWithoutTransaction(file)) return await applyWithoutTransaction(client, file);
    for (let attempt = 1; ; attempt++) {
      try {
        return await applyInTransaction(client, file);
      } catch (error) {
        if (!isLockMissing(error) || attempt === ATTEMPTS_MAX) throw error;
        if (attempt === 1)
          how.log(
            `Postgres: ${label(file)} needs a lock that another transaction holds; trying again`,
          );
        await wait(PAUSE_MS, undefined, how.signal && { signal: how.signal });
      }
    }
  } catch (error) {
    const { message } = error as Error;
    const advice = isLockMissing(error) ? ` ${LOCK_ADVICE}` : '';
    throw new Error(`Postgres: ${label(file)} failed: ${message}.${advice}`, { cause: error });
  }
}

const LOCK_ADVICE =
  'Nothing in this file was applied. End the transaction that holds the lock (pg_stat_activity, column xact_start), then run the migration again.';

export function isWithoutTransaction(file: SqlFile): boolean {
  return WITHOUT_TRANSACTION.test(file.text.split('\n', 1)[0]!);
}

async function applyInTransaction(client: pg.Client, file: SqlFile): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await client.query(file.text);
    await record(client, file);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}

/**
 * A file that failed is applied again from its start. Its statements do not block requests, so they wait as
 * long as necessary.
 */
async function applyWithoutTransaction(client: pg.Client, file: SqlFile): Promise<void> {
  for (const statement of splitPostgresStatements(file.text)) await client.query(statement);
  await record(client, file);
}

async function record(client: pg.Client, { version, name, checksum }: SqlFile): Promise<void> {
  await client.query(
    'INSERT INTO schema_migrations (version, name, checksum) VALUES ($1, $2, $3)',
    [version, name, checksum],
  );
}

function isLockMissing(error: unknown): boolean {
  return (error as { code?: string }).code === LOCK_NOT_AVAILABLE;
}
