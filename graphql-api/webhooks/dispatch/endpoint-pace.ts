// Limits how much of a process one endpoint may use. An endpoint starts with few concurrent deliveries,
// gets more with each response, and almost none once it is slow or unreachable. Slow endpoints share a separate
// part of the process, so that hanging endpoints do not affect the others.

import type { Attempted } from './send-webhook.ts';

export type Pace = {
  /** The number of deliveries claimed at once. */
  readonly window: number;
  readonly isSlow: boolean;
};

/** The claims per process for prompt endpoints and for slow endpoints. */
export const PROMPT_MAX = 1_024;
export const SLOW_MAX = 256;
/** The concurrent requests to one endpoint. Further claimed deliveries wait. */
export const CONNECTIONS_MAX = 16;

const WINDOW_MAX = 256;
const WINDOW_MIN = 1;
/** Enough for any receiver that stores the event before it processes it. */
const SLOW_MS = 2_000;

export const FIRST_PACE: Pace = { window: 8, isSlow: false };
/** The initial pace of an endpoint that the database marks as failing. */
export const FAILING_PACE: Pace = { window: WINDOW_MIN, isSlow: true };

export function nextPace({ window, isSlow }: Pace, { outcome, latencyMs }: Attempted): Pace {
  switch (outcome) {
    case 'DELIVERED':
      if (latencyMs >= SLOW_MS) return { window: WINDOW_MIN, isSlow: true };
      // Each response adds one, which doubles the window with each round.
      return { window: Math.min(window + 1, WINDOW_MAX), isSlow: false };
    case 'REFUSED':
    case 'REDIRECTED':
      return { window: halved(window), isSlow: isSlow || latencyMs >= SLOW_MS };
    case 'INTERRUPTED':
      return { window, isSlow };
    case 'TIMED_OUT':
      return FAILING_PACE;
    case 'GONE':
    case 'CONNECTION_FAILED':
    case 'TLS_FAILED':
    case 'ADDRESS_REFUSED':
      return { window: halved(window), isSlow: true };
  }
}

function halved(window: number): number {
  return Math.max(WINDOW_MIN, Math.floor(window / 2));
}
