// The quota counters in Postgres, shared by all nodes. Rows are always locked in the order of their
// scopes, so nodes cannot deadlock.

import type { PostgresClient } from '../postgres/statement.ts';

type SharedWindow = { readonly scope: string; readonly windowStartMs: number };
export type Wanted = SharedWindow & {
  readonly need: number;
  readonly want: number;
  readonly cap: number;
};
export type Lease = { readonly granted: number; readonly total: number };

/**
 * Returns one lease per wanted window, in the same order. `granted` is 0 if `need` is not
 * available.
 */
export async function leaseFromPostgres(
  client: PostgresClient,
  wanted: readonly Wanted[],
): Promise<Lease[]> {
  const order = lockOrder(wanted);
  const { rows } = await client.query<{ granted: string; total: string }>({
    text: `SELECT lease.granted, lease.total_used AS total
           FROM unnest($1::text[], $2::float8[], $3::bigint[], $4::bigint[], $5::bigint[])
             WITH ORDINALITY AS asked (scope, starts_at, need, want, cap, position)
           CROSS JOIN LATERAL lease_quota(asked.scope, to_timestamp(asked.starts_at / 1000),
                                          asked.need, asked.want, asked.cap) AS lease
           ORDER BY asked.position`,
    values: [
      order.map(i => wanted[i]!.scope),
      order.map(i => wanted[i]!.windowStartMs),
      order.map(i => wanted[i]!.need),
      order.map(i => wanted[i]!.want),
      order.map(i => wanted[i]!.cap),
    ],
    timeoutMs: QUOTA_TIMEOUT_MS,
  });
  const leases: Lease[] = [];
  for (const [row, i] of order.entries()) {
    const { granted, total } = rows[row]!;
    leases[i] = { granted: Number(granted), total: Number(total) };
  }
  return leases;
}

/** Adds leases made without Postgres. Unconditional, because these events are already admitted. */
export async function reportToPostgres(
  client: PostgresClient,
  owed: readonly (SharedWindow & { readonly owed: number })[],
): Promise<void> {
  const order = lockOrder(owed);
  await client.query({
    text: `INSERT INTO quota_windows (scope, window_start, used)
           SELECT scope, to_timestamp(starts_at / 1000), owed
           FROM unnest($1::text[], $2::float8[], $3::bigint[]) AS told (scope, starts_at, owed)
           ON CONFLICT (scope, window_start)
           DO UPDATE SET used = quota_windows.used + excluded.used`,
    values: [
      order.map(i => owed[i]!.scope),
      order.map(i => owed[i]!.windowStartMs),
      order.map(i => owed[i]!.owed),
    ],
    timeoutMs: QUOTA_TIMEOUT_MS,
  });
}

/** Removes windows that have ended on all nodes, in batches. Returns the number of removed rows. */
export async function pruneQuotaWindows(client: PostgresClient, nowMs: number): Promise<number> {
  const { rowCount } = await client.query({
    text: `DELETE FROM quota_windows WHERE ctid = ANY (ARRAY(
             SELECT ctid FROM quota_windows
             WHERE window_start < $1::timestamptz - interval '${WINDOW_KEPT}'
             LIMIT ${PRUNE_ROWS_MAX} FOR UPDATE SKIP LOCKED))`,
    values: [new Date(nowMs)],
    timeoutMs: QUOTA_TIMEOUT_MS,
  });
  return rowCount ?? 0;
}

/** Twice the longest window, for nodes whose clock is behind. */
const WINDOW_KEPT = '2 hours';
/** The statement takes a few milliseconds, and requests may wait for it. */
export const PRUNE_ROWS_MAX = 1_000;
/** The longest wait of a request before the node counts alone. A lease takes about 1 ms. */
const QUOTA_TIMEOUT_MS = 1_000;

function lockOrder(windows: readonly SharedWindow[]): number[] {
  return [...windows.keys()].sort((left, right) => compare(windows[left]!, windows[right]!));
}

function compare(left: SharedWindow, right: SharedWindow): number {
  if (left.scope !== right.scope) return left.scope < right.scope ? -1 : 1;
  return left.windowStartMs - right.windowStartMs;
}
