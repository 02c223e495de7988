// The change log of the directory: each changed row leaves an entry with its transaction.

import { SERVER } from '../postgres/server.ts';
import type { PostgresClient } from '../postgres/statement.ts';

type DirectoryRevision = {
  /** Transaction numbers of different servers must not be compared. */
  readonly server: string;
  /** Equal if and only if the states of the directory are equal. */
  readonly id: string;
  /** The number of entries, which determines when they are pruned. */
  readonly rowCount: number;
};

/**
 * Reads the revision of the directory's tables cheaply. A commit adds a row, so it changes the
 * count even if its number is lower than that of an earlier commit. Pruning removes the lowest
 * numbers, so it changes the minimum, and a removed number is never reused. Together the three
 * values detect every change, in any order of commits and prunings.
 */
export async function readRevision(client: PostgresClient): Promise<DirectoryRevision> {
  const { rows } = await client.query<RevisionRow>({
    text: `SELECT ${SERVER} AS server, count(*) AS rows, coalesce(min(revision), 0) AS first,
                  coalesce(max(revision), 0) AS last
           FROM directory_revisions`,
    timeoutMs: REVISION_TIMEOUT_MS,
  });
  const { server, rows: rowCount, first, last } = rows[0]!;
  return { server, id: `${rowCount}:${first}:${last}`, rowCount: Number(rowCount) };
}

type RevisionRow = { server: string; rows: string; first: string; last: string };

/** It takes under a millisecond; a slower one means that the database is unhealthy. */
const REVISION_TIMEOUT_MS = 3_000;

export type ListedChanges = {
  /** The oldest transaction that the client's snapshot may not see. The next list continues there. */
  readonly next: string;
  readonly changes: readonly ListedChange[];
};

type ListedChange = {
  readonly revision: string;
  /** Null if any row of any table may have changed. */
  readonly tableName: string | null;
  readonly rowId: string | null;
};

/** Beyond this number of changed rows, loading the whole directory costs less. */
export const CHANGES_MAX = 1_000;

/**
 * Lists the entries of transaction `since` and later, at most CHANGES_MAX + 1. These are all that
 * the snapshot of the last list may not have seen, in any order of commits. Undefined if the list
 * contains only entries that the next list will contain again.
 */
export async function listChanges(
  client: PostgresClient,
  since: string | undefined,
): Promise<ListedChanges> {
  const { rows } = await client.query<ListedChanges>({
    text: `SELECT pg_snapshot_xmin(snapshot)::text AS next,
            (SELECT coalesce(json_agg(change), '[]')
             FROM (SELECT revision::text, table_name AS "tableName", row_id AS "rowId"
                   FROM directory_revisions
                   WHERE changed_in >= coalesce($1::xid8, pg_snapshot_xmin(snapshot))
                   LIMIT ${CHANGES_MAX + 1}) AS change) AS changes
     FROM pg_current_snapshot() AS snapshot`,
    values: [since],
  });
  return rows[0]!;
}

/** Whether the first transaction number is lower, as in a database restored from a backup. */
export function isEarlier(transaction: string, other: string): boolean {
  return BigInt(transaction) < BigInt(other);
}

/** Counting rows takes well under a millisecond up to this number. */
export const REVISION_ROWS_MAX = 1_000;
/** Far below the maximum, because every node loads the whole directory after a pruning. */
const REVISION_ROWS_KEPT = 100;

/** Keeps an entry for any row, because another node may not have seen the pruned ones. */
export async function pruneRevisions(client: PostgresClient): Promise<void> {
  await client.query({
    text: `WITH pruned AS (
       DELETE FROM directory_revisions WHERE revision <
         (SELECT revision FROM directory_revisions ORDER BY revision DESC OFFSET $1 LIMIT 1)
       RETURNING revision)
     INSERT INTO directory_revisions (table_name) SELECT NULL WHERE EXISTS (SELECT FROM pruned)`,
    values: [REVISION_ROWS_KEPT - 1],
  });
}
