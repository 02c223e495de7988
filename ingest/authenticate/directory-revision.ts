import type { ClientBase } from 'pg';

export type DirectoryRevision = {
  /** Equal for equal states of the directory, and only for them. */
  readonly id: string;
  /** Rows that tell of changes, to know when they need pruning. */
  readonly rowCount: number;
};

/**
 * Which state the directory's tables are in, cheaply. A commit adds a row, so it moves the count
 * even when its number is lower than one that was committed before it. Pruning removes the lowest
 * numbers, so it moves the minimum, and a removed number never comes back: together the three
 * cannot hide a change, whatever the order of commits and prunings.
 */
export async function readRevision(client: ClientBase): Promise<DirectoryRevision> {
  const { rows } = await client.query<{ rows: string; first: string; last: string }>({
    name: 'directory-revision',
    text: `SELECT count(*) AS rows, coalesce(min(revision), 0) AS first,
                  coalesce(max(revision), 0) AS last
           FROM directory_revisions`,
  });
  const { rows: rowCount, first, last } = rows[0]!;
  return { id: `${rowCount}:${first}:${last}`, rowCount: Number(rowCount) };
}

/** Counting rows stays well under a millisecond up to here. */
export const REVISION_ROWS_MAX = 1_000;
/** Far under the maximum, so that one pruning (which each node reloads after) lasts long. */
const REVISION_ROWS_KEPT = 100;

export async function pruneRevisions(client: ClientBase): Promise<void> {
  await client.query(
    `DELETE FROM directory_revisions WHERE revision <
       (SELECT revision FROM directory_revisions ORDER BY revision DESC OFFSET $1 LIMIT 1)`,
    [REVISION_ROWS_KEPT - 1],
  );
}
