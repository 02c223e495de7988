import { DAY_MS } from '../../schema/values/durations.ts';

/** Time to notice a mistake and to cancel. */
const WAITING_MS = DAY_MS;

/** When a rule that is set now first deletes rows. */
export function effectiveAt(now: Date): Date {
  return new Date(now.getTime() + WAITING_MS);
}

/**
 * Rows from before this time are older than the days to keep. Midnight UTC, so that only whole days are
 * deleted.
 */
export function cutoffOf(keepDays: number, now: Date): Date {
  const today = Math.floor(now.getTime() / DAY_MS);
  return new Date((today - keepDays) * DAY_MS);
}
