// The rules of quota counting, without clock, threads or database.

/** `needs-lease`: the lease is too small, and the window may have more. */
export type Verdict = 'fits' | 'needs-lease' | 'refused';

/**
 * Decides whether all of `amount` fits. In this window this node admitted `used` of the `granted`
 * events that it leased, and all nodes leased `total` as last known; the total only grows, so the
 * known value may be too low. An amount above the cap is admitted in a window without other events,
 * because otherwise it could never be admitted.
 *
 * A rejection is final for this amount while no lease is returned and the cap does not change,
 * because leases of other nodes do not return within the window. So it needs no query to Postgres,
 * and each lease that Postgres rejects raises the known total: a flood of rejected requests causes
 * a bounded number of queries.
 */
export function judge(
  used: number,
  granted: number,
  total: number,
  amount: number,
  cap: number,
): Verdict {
  if (used > 0 && used + amount > cap) return 'refused';
  if (used + amount <= granted) return 'fits';
  const missing = used + amount - granted;
  return total > 0 && total + missing > cap ? 'refused' : 'needs-lease';
}

/**
 * The lease from a window of which `total` is leased, for a caller that needs `need` and prefers
 * `want`. Same as the database function lease_quota, for use while Postgres is unavailable.
 */
export function leaseFrom(total: number, need: number, want: number, cap: number): number {
  if (total > 0 && total + need > cap) return 0;
  return Math.max(need, Math.min(want, cap - total));
}
