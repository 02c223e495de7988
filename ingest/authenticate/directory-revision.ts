import type { ClientBase } from 'pg';

export type DirectoryRevision = {
  /** Equal if and only if the states of the directory are equal. */
  readonly id: string;
  /** The number of change rows, which determines when they are pruned. */
  readonly rowCount: number;
};

/**
 * Reads the revision of the directory's tables cheaply. A commit adds a row, so it changes the
 * count even if its number is lower than that of an earlier commit. Pruning removes the lowest
 * numbers, so it changes the minimum, and a removed number is never reused. Together the three
 * values detect every change, in any order of commits and prunings.
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

/** Counting rows takes well under a millisecond up to this number. */
export const REVISION_ROWS_MAX = 1_000;
/** Far below the maximum, because every node reloads the directory after a pruning. */
const REVISION_ROWS_KEPT = 100;

export async function pruneRevisions(client: ClientBase): Promise<void> {
  await client.query(
    `DELETE FROM directory_revisions WHERE revision <
       (SELECT revision FROM directory_revisions ORDER BY revision DESC OFFSET $1 LIMIT 1)`,
    [REVISION_ROWS_KEPT - 1],
  );
}
