import { CronExpressionParser } from 'cron-parser';

/** The latest time of a plan (cron, in UTC) that has come; undefined where none ever has. */
export function latestDueMs(schedule: string, nowMs: number): number | undefined {
  // `prev` is strictly before, and the present millisecond counts.
  const expression = CronExpressionParser.parse(schedule, { currentDate: nowMs + 1, tz: 'UTC' });
  return expression.hasPrev() ? expression.prev().getTime() : undefined;
}
