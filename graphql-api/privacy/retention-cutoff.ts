import { CronExpressionParser } from 'cron-parser';
import { DAY_MS } from '../../schema/values/durations.ts';

/** Time to notice a mistake and to cancel. */
const WAITING_MS = DAY_MS;

/** From when on runs apply a rule that is set now. */
export function effectiveAt(now: Date): Date {
  return new Date(now.getTime() + WAITING_MS);
}

/** Daily, in UTC. */
export const RUN_SCHEDULE = '47 3 * * *';

/** The first run in which a rule that is set now deletes rows. */
export function firstRunAt(now: Date): Date {
  // `next` excludes `currentDate`, but a rule is already effective in a run at that time.
  const currentDate = effectiveAt(now).getTime() - 1;
  return CronExpressionParser.parse(RUN_SCHEDULE, { currentDate, tz: 'UTC' }).next().toDate();
}

/**
 * Rows from before this time are older than the days to keep. Midnight UTC, so that only whole days are
 * deleted.
 */
export function cutoffOf(keepDays: number, now: Date): Date {
  const today = Math.floor(now.getTime() / DAY_MS);
  return new Date((today - keepDays) * DAY_MS);
}
