// How much of a process an endpoint may hold: little until it has shown that it answers, then ever
// more, and next to nothing once it is slow or away. Slow ones share a part of the process that is
// theirs, so that however many hang, the others have the rest to themselves.

import type { Attempted } from './send-webhook.ts';

export type Pace = {
  /** Deliveries that are claimed for it at once. */
  readonly window: number;
  readonly isSlow: boolean;
};

/** Claimed at once by a process, of endpoints that answer, and of slow ones. */
export const PROMPT_MAX = 1_024;
export const SLOW_MAX = 256;
/** Requests to one endpoint at once; what else is claimed waits for one to end. */
export const CONNECTIONS_MAX = 16;

const WINDOW_MAX = 256;
const WINDOW_MIN = 1;
/** Long enough for any receiver that stores first and works later. */
const SLOW_MS = 2_000;

export const FIRST_PACE: Pace = { window: 8, isSlow: false };
/** Of one that fails, as far as is known from before. */
export const FAILING_PACE: Pace = { window: WINDOW_MIN, isSlow: true };

export function nextPace({ window, isSlow }: Pace, { outcome, latencyMs }: Attempted): Pace {
  switch (outcome) {
    case 'DELIVERED':
      if (latencyMs >= SLOW_MS) return { window: WINDOW_MIN, isSlow: true };
      // Each answer lets another one in: doubled with each round.
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
