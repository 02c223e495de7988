// What follows from an answer of the service. A pure function: no clock, no randomness of its own.

import { BACKOFF_FIRST_MS, BACKOFF_MAX_MS, BATCH_EVENTS_MAX, PAUSE_MAX_MS } from './limits.ts';

export type Answer = {
  /** 0 if there is none: no connection, a time-out, or an origin that the key does not allow. */
  readonly status: number;
  readonly retryAfter?: string | null;
  /** Parsed; undefined if it is not JSON. */
  readonly body?: unknown;
};

/** How fast to go on. Stored, so that neither a reload nor another tab is faster. */
export type Pace = {
  /** Failures in a row. */
  readonly failures: number;
  /** Nothing is sent before this time. */
  readonly untilMs: number;
  /** Events in the next batch, at most. */
  readonly eventsMax: number;
  /** There was no answer, so the end of the wait may be noticed: the network is back. */
  readonly isAway: boolean;
};

export const FIRST_PACE: Pace = {
  failures: 0,
  untilMs: 0,
  eventsMax: BATCH_EVENTS_MAX,
  isAway: false,
};

export type Rejection = {
  readonly index: number;
  readonly code: string;
  readonly message: string;
};

export type Decision = {
  /**
   * `remove`: everything is stored, except for what `rejected` lists. `keep`: the same is sent again, in
   * parts if `eventsMax` is smaller. `drop`: it can never be stored. `stop`: nothing can be.
   */
  readonly action: 'remove' | 'keep' | 'drop' | 'stop';
  readonly rejected: readonly Rejection[];
  readonly code: string;
  readonly message: string;
  readonly pace: Pace;
};

type Body = {
  readonly status?: unknown;
  readonly code?: unknown;
  readonly detail?: unknown;
  readonly rejected?: unknown;
};

/** `events`: how many were sent; 1 for a report. */
export function decide(
  { status, retryAfter, body }: Answer,
  events: number,
  pace: Pace,
  { nowMs, random }: { readonly nowMs: number; readonly random: number },
): Decision {
  const { status: word, code, detail, rejected } = (body ?? {}) as Body;
  const said = {
    rejected: [],
    code: typeof code === 'string' ? code : `HTTP_${status}`,
    message: typeof detail === 'string' ? detail : `The service responded with ${status}.`,
  };
  const smaller = Math.ceil(events / 2);
  const faster = Math.min(BATCH_EVENTS_MAX, pace.eventsMax * 2);
  // Networks with a sign-in page answer anything with 200 and a page of their own.
  if (status === 200 && word === 'SUCCESS')
    return { ...said, action: 'remove', pace: { ...FIRST_PACE, eventsMax: faster } };
  if (status === 400 && Array.isArray(rejected))
    return {
      ...said,
      action: 'remove',
      rejected: rejected as Rejection[],
      pace: { ...FIRST_PACE, eventsMax: faster },
    };
  if (isAtFault(status, code)) {
    const action = events > 1 ? 'keep' : 'drop';
    return { ...said, action, pace: { ...FIRST_PACE, eventsMax: smaller } };
  }
  if ((status === 401 || status === 403) && code !== undefined)
    return { ...said, action: 'stop', pace };
  const failures = pace.failures + 1;
  const untilMs = nowMs + waitMs(failures, secondsMs(retryAfter, nowMs), random);
  // A cap admits a batch as a whole, and a slow connection a smaller one before the time-out.
  const isAway = status === 0;
  const eventsMax = status === 429 || isAway ? smaller : pace.eventsMax;
  return { ...said, action: 'keep', pace: { failures, untilMs, eventsMax, isAway } };
}

/** The request itself cannot be stored, whenever it is sent: one of its events is to be found. */
function isAtFault(status: number, code: unknown): boolean {
  if (status === 413) return true;
  if (code === 'WIDGET_NOT_FOUND' || code === 'TENANT_MISMATCH') return true;
  return status === 400 && code !== undefined;
}

/** Never before the time that the service named; without one, between half of the back-off and all of it. */
function waitMs(failures: number, askedMs: number, random: number): number {
  if (askedMs > 0) return Math.min(askedMs * (1 + random / 4), PAUSE_MAX_MS);
  const backoffMs = Math.min(BACKOFF_FIRST_MS * 2 ** (failures - 1), BACKOFF_MAX_MS);
  return backoffMs * (0.5 + random / 2);
}

/** Retry-After has seconds or, from some proxies, a date. */
function secondsMs(retryAfter: string | null | undefined, nowMs: number): number {
  if (!retryAfter) return 0;
  const ms = Number(retryAfter) * 1000;
  return Number.isNaN(ms) ? Date.parse(retryAfter) - nowMs || 0 : ms;
}
