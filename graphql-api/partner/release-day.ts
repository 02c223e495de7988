// When held credits are released: once a day, by the job of 02:00 UTC. A hold is so many times 24 hours from
// the moment the payment cleared, as the age of a commission is, and never ends early: a credit is
// released by the first run at which its hold is over.

export const RELEASE_HOUR_UTC = 2;

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** YYYY-MM-DD in UTC: the day whose run releases what cleared then. */
export function releaseDay(clearedAtMs: number, holdDays: number): string {
  return nextReleaseDay(clearedAtMs + holdDays * DAY_MS);
}

/** Of the next run, one that is due at this very moment included. */
export function nextReleaseDay(nowMs: number): string {
  const day = Math.ceil((nowMs - RELEASE_HOUR_UTC * HOUR_MS) / DAY_MS);
  return new Date(day * DAY_MS).toISOString().slice(0, 'YYYY-MM-DD'.length);
}
