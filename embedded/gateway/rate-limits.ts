// Calls per minute, as published for the sandbox. No limits are published for links and vendors.

import { MINUTE_MS } from '../../schema/values/durations.ts';

export type Limit = {
  readonly limit: number;
  readonly remaining: number;
  readonly retrySeconds: number;
};

const PER_MINUTE: readonly (readonly [RegExp, number])[] = [
  [/^POST \/orders$/, 30],
  [/^POST \/(?:orders|subscriptions)\/[^/]+\/refunds$/, 30],
  [/^GET \/(?:orders|subscriptions)\/[^/]+\/refunds/, 60],
  [/^GET \/orders\/[^/]+\/payments/, 30],
  [/^GET \/orders/, 60],
  [/ \/(?:plans|subscriptions)/, 60],
];
const OTHERS_PER_MINUTE = 120;

/** `factor` multiplies the limits; 0 disables them. */
export function createRateLimits(factor: number, nowMs: () => number) {
  const windows = new Map<string, { startMs: number; calls: number }>();
  return (clientId: string, call: string): Limit | undefined => {
    if (factor === 0) return undefined;
    const at = PER_MINUTE.findIndex(([pattern]) => pattern.test(call));
    const limit = (PER_MINUTE[at]?.[1] ?? OTHERS_PER_MINUTE) * factor;
    const key = `${clientId} ${at}`;
    const now = nowMs();
    let window = windows.get(key);
    if (window === undefined || now - window.startMs >= MINUTE_MS) {
      window = { startMs: now, calls: 0 };
      windows.set(key, window);
    }
    window.calls++;
    const retrySeconds = Math.ceil((window.startMs + MINUTE_MS - now) / 1000);
    return { limit, remaining: limit - window.calls, retrySeconds };
  };
}
