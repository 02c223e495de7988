import { CronExpressionParser } from 'cron-parser';

/** The latest time of a cron schedule (in UTC) up to now; undefined if there is none. */
export function latestDueMs(schedule: string, nowMs: number): number | undefined {
  // `prev` excludes `currentDate`, but the current millisecond counts.
  const expression = CronExpressionParser.parse(schedule, { currentDate: nowMs + 1, tz: 'UTC' });
  return expression.hasPrev() ? expression.prev().getTime() : undefined;
}
