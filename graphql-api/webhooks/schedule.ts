// The retry schedule that Standard Webhooks proposes: immediately, then with increasing delays, for
// about three days in total.

import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../schema/values/durations.ts';

/** The delay after each failure. The first attempt is immediate. */
export const RETRY_DELAYS_MS: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];
/** The maximum relative extension of a delay, which spreads deliveries that failed together. */
const JITTER = 0.2;
/** The limit of a delay that a receiver requests. */
const RETRY_AFTER_MS_MAX = 24 * HOUR_MS;
/** An endpoint without a successful delivery for this long is disabled. */
export const FAILING_MS_MAX = 5 * 24 * HOUR_MS;

type Failure = {
  /** The number of failed attempts of the schedule, including this one. */
  readonly failures: number;
  /** The delay that the receiver requested. */
  readonly retryAfterMs?: number | undefined;
  /** 0 to 1. */
  readonly random: number;
};

/** Returns the delay before the next attempt; undefined after the last one. */
export function retryDelayMs({ failures, retryAfterMs = 0, random }: Failure): number | undefined {
  const delayMs = RETRY_DELAYS_MS[failures - 1];
  if (delayMs === undefined) return undefined;
  const waitMs = Math.max(delayMs, Math.min(retryAfterMs, RETRY_AFTER_MS_MAX));
  return Math.round(waitMs * (1 + JITTER * random));
}

const SECONDS = /^\d{1,9}$/;
/** The only date format that HTTP senders may use. The obsolete formats are ambiguous. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Reads Retry-After as seconds or a date. Returns undefined if it is invalid or in the past. */
export function readRetryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  const text = header?.trim() ?? '';
  let waitMs = Number.NaN;
  if (SECONDS.test(text)) waitMs = Number(text) * SECOND_MS;
  else if (HTTP_DATE.test(text)) waitMs = Date.parse(text) - nowMs;
  return waitMs > 0 ? waitMs : undefined;
}
