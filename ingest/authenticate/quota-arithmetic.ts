// The rules of counting, without time, threads or database.

/** `needs-lease`: more must be leased first, and the window may have it. */
export type Verdict = 'fits' | 'needs-lease' | 'refused';

/**
 * Whether `amount` fits, whole. In this window this node admitted `used` of the `granted` that it
 * leased, and all nodes leased `total`, as last heard; that only grows, so it may be too low. An amount above the cap passes a window in which nothing was
 * admitted, or it could never pass.
 *
 * A refusal is final for this amount as long as nothing is given back and the cap stays: what is
 * leased elsewhere does not come back within the window. So it needs no question to Postgres, and
 * each question that Postgres refuses makes the known total larger: a flood of refused requests
 * asks a bounded number of times.
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
 * What a window of which `total` is leased gives to one who must have `need` and would like `want`.
 * The same as the database's function lease_quota, for when it cannot be asked.
 */
export function leaseFrom(total: number, need: number, want: number, cap: number): number {
  if (total > 0 && total + need > cap) return 0;
  return Math.max(need, Math.min(want, cap - total));
}
