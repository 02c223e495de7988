// The release day of held credits. A job releases them once a day at 02:00 UTC. The hold period is
// a number of 24-hour days from the time the payment cleared, like the minimum age of a commission.
// It never ends early: the first run after its end releases the credit.

import { DAY_MS, HOUR_MS } from '../../schema/values/durations.ts';

export const RELEASE_HOUR_UTC = 2;

/** The UTC day, as YYYY-MM-DD, whose run releases a credit that cleared at this time. */
export function releaseDay(clearedAtMs: number, holdDays: number): string {
  return nextReleaseDay(clearedAtMs + holdDays * DAY_MS);
}

/** The day of the next run, including a run that is due at this moment. */
export function nextReleaseDay(nowMs: number): string {
  const day = Math.ceil((nowMs - RELEASE_HOUR_UTC * HOUR_MS) / DAY_MS);
  return new Date(day * DAY_MS).toISOString().slice(0, 'YYYY-MM-DD'.length);
}
