// Decides what to do after a response of the service. A pure function: the clock and the randomness are passed in.

import { BACKOFF_FIRST_MS, BACKOFF_MAX_MS, BATCH_EVENTS_MAX, PAUSE_MAX_MS } from './limits.ts';

export type Answer = {
  /** 0 if there is no response: no connection, a timeout, or an origin that the key does not allow. */
  readonly status: number;
  readonly retryAfter?: string | null;
  /** Parsed; undefined if it is not JSON. */
  readonly body?: unknown;
};

/** When and how much to send next. Stored, so that a reload or another tab does not send sooner. */
export type Pace = {
  /** Failures in a row. */
  readonly failures: number;
  /** Nothing is sent before this time. */
  readonly untilMs: number;
  /** The maximum number of events in the next batch. */
  readonly eventsMax: number;
  /** There was no response, so the wait can end early when the network is available again. */
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
   * `remove`: all events are stored, except those in `rejected`. `keep`: the events are sent again, in parts
   * if `eventsMax` is smaller. `drop`: the events can never be stored. `stop`: no events can be stored.
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

/** `events`: the number of events that were sent; 1 for a report. */
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
  // Networks with a sign-in page respond to any request with 200 and that page.
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
  // A smaller batch can fit into a cap, which accepts a batch only as a whole, and can be sent over a slow
  // connection before the timeout.
  const isAway = status === 0;
  const eventsMax = status === 429 || isAway ? smaller : pace.eventsMax;
  return { ...said, action: 'keep', pace: { failures, untilMs, eventsMax, isAway } };
}

/** The request can never be stored because of one of its events, which has to be found. */
function isAtFault(status: number, code: unknown): boolean {
  if (status === 413) return true;
  if (code === 'WIDGET_NOT_FOUND' || code === 'TENANT_MISMATCH') return true;
  return status === 400 && code !== undefined;
}

/**
 * Never less than the wait that the service requested. Without such a request, between half of the backoff and
 * all of it.
 */
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
