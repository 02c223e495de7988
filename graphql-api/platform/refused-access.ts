import type { ProblemCode } from '../../schema/values/problem.ts';
import type { Database } from './database/database.ts';
import { rowsOf, sql } from './database/kysely.ts';
import type { Claims } from './verify-token.ts';

/** Why valid tokens are refused; undefined if they are not. */
export type RefusedAccess = {
  reasonFor(claims: Pick<Claims, 'organizationId' | 'userId'>): Promise<ProblemCode | undefined>;
};

/** How old the list may be when a request is let through. */
const AGE_MS_MAX = 1_000;

type List = {
  readonly revision: string;
  readonly loadedAtMs: number;
  readonly closedOrganizations: ReadonlySet<string>;
  /** By organization; null for users who are revoked in all. */
  readonly revokedUsers: ReadonlyMap<string | null, ReadonlySet<string>>;
};

/**
 * Closed organizations and revoked users. Each process keeps the list and compares its revision at most once a second, before it lets a
 * request through, so a change takes effect within a second. Without Postgres, requests with a token fail.
 */
export function createRefusedAccess(
  database: Pick<Database, 'asSystem'>,
  clock: { nowMs(): number },
): RefusedAccess {
  let known: List | undefined;
  let loading: Promise<List> | undefined;

  async function current(): Promise<List> {
    if (known !== undefined && clock.nowMs() - known.loadedAtMs < AGE_MS_MAX) return known;
    loading ??= load(database, clock.nowMs(), known).finally(() => {
      loading = undefined;
    });
    known = await loading;
    return known;
  }

  return {
    async reasonFor({ organizationId, userId }) {
      const { closedOrganizations, revokedUsers } = await current();
      const isRevoked = [organizationId, null].some(id => revokedUsers.get(id)?.has(userId));
      if (isRevoked) return 'UNAUTHENTICATED';
      return closedOrganizations.has(organizationId) ? 'ORGANIZATION_CLOSED' : undefined;
    },
  };
}

async function load(
  database: Pick<Database, 'asSystem'>,
  loadedAtMs: number,
  known: List | undefined,
): Promise<List> {
  return database.asSystem(async em => {
    // Before the lists: if they change meanwhile, the next comparison loads them again.
    const [row] = await rowsOf(
      em,
      sql<{ revision: string }>`SELECT revision::text AS revision FROM access_revision`,
    );
    const { revision } = row!;
    if (revision === known?.revision) return { ...known, loadedAtMs };
    const closed = await rowsOf(
      em,
      sql<{ id: string }>`SELECT id FROM organizations WHERE closed_at IS NOT NULL`,
    );
    const revoked = await rowsOf(
      em,
      sql<{ organizationId: string | null; userIds: string[] }>`
        SELECT organization_id, array_agg(subject) AS user_ids
        FROM revoked_subjects GROUP BY organization_id`,
    );
    return {
      revision,
      loadedAtMs,
      closedOrganizations: new Set(closed.map(({ id }) => id)),
      revokedUsers: new Map(
        revoked.map(({ organizationId, userIds }) => [organizationId, new Set(userIds)]),
      ),
    };
  });
}
