// When a delivery is tried, as Standard Webhooks proposes it: at once, then ever later, for about
// three days in all.

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** After each failure; the first attempt is made at once. */
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
/** Up to so much later, so that what failed together doesn't come back together. */
const JITTER = 0.2;
/** What a receiver asks for beyond that is not waited for. */
export const RETRY_AFTER_MS_MAX = 24 * HOUR_MS;
/** Without one success for so long, an endpoint is disabled. */
export const FAILING_MS_MAX = 5 * 24 * HOUR_MS;

export type Failure = {
  /** How many attempts of the schedule failed, this one included. */
  readonly failures: number;
  /** As the receiver asked. */
  readonly retryAfterMs?: number | undefined;
  /** 0 to 1. */
  readonly random: number;
};

/** How long to wait for the next attempt; undefined when that was the last. */
export function retryDelayMs({ failures, retryAfterMs = 0, random }: Failure): number | undefined {
  const delayMs = RETRY_DELAYS_MS[failures - 1];
  if (delayMs === undefined) return undefined;
  const waitMs = Math.max(delayMs, Math.min(retryAfterMs, RETRY_AFTER_MS_MAX));
  return Math.round(waitMs * (1 + JITTER * random));
}

const SECONDS = /^\d{1,9}$/;
/** The one form that senders may use; others are not worth the ambiguity. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Retry-After: seconds, or a date. Undefined where it is neither, or over. */
export function readRetryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  const text = header?.trim() ?? '';
  let waitMs = Number.NaN;
  if (SECONDS.test(text)) waitMs = Number(text) * SECOND_MS;
  else if (HTTP_DATE.test(text)) waitMs = Date.parse(text) - nowMs;
  return waitMs > 0 ? waitMs : undefined;
}
