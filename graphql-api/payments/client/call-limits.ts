// Rate limits per account and call. They copy the gateway's own limits, so that the gateway rarely
// rejects a call. Each process counts separately; a call above the gateway's limit gets a 429,
// which the client honors.

import { LRUCache } from 'lru-cache';
import { MINUTE_MS } from '../../../schema/values/durations.ts';

export type Environment = 'SANDBOX' | 'PRODUCTION';

/** Groups of calls that share a limit. */
export type CallName =
  | 'createOrder'
  | 'getOrder'
  | 'links'
  | 'createRefund'
  | 'getRefund'
  | 'subscriptions'
  | 'vendors';

type PerMinute = Readonly<Record<Environment, number>>;

/** Where the gateway publishes no limit (links, vendors), use the sandbox limit of getOrder. */
const PER_MINUTE: Readonly<Record<CallName, PerMinute>> = {
  createOrder: { PRODUCTION: 200, SANDBOX: 30 },
  getOrder: { PRODUCTION: 400, SANDBOX: 60 },
  links: { PRODUCTION: 60, SANDBOX: 60 },
  createRefund: { PRODUCTION: 100, SANDBOX: 30 },
  getRefund: { PRODUCTION: 30, SANDBOX: 60 },
  subscriptions: { PRODUCTION: 60, SANDBOX: 60 },
  vendors: { PRODUCTION: 60, SANDBOX: 60 },
};

type CallLimits = {
  /** Returns 0 and counts the call if it is allowed now, otherwise the milliseconds to wait. */
  take(accountId: string, environment: Environment, call: CallName): number;
};

/** A bucket that was unused for a minute is full again, so evicting it changes nothing. */
const BUCKETS_MAX = 10_000;

type Bucket = { calls: number; filledAtMs: number };

export function createCallLimits(nowMs: () => number): CallLimits {
  const buckets = new LRUCache<string, Bucket>({ max: BUCKETS_MAX });
  return {
    take(accountId, environment, call) {
      const perMinute = PER_MINUTE[call][environment];
      const key = `${accountId} ${environment} ${call}`;
      const bucket = buckets.get(key) ?? { calls: perMinute, filledAtMs: nowMs() };
      buckets.set(key, bucket);
      const now = nowMs();
      const refill = ((now - bucket.filledAtMs) * perMinute) / MINUTE_MS;
      bucket.calls = Math.min(perMinute, bucket.calls + refill);
      bucket.filledAtMs = now;
      if (bucket.calls >= 1) {
        bucket.calls -= 1;
        return 0;
      }
      return Math.ceil(((1 - bucket.calls) * MINUTE_MS) / perMinute);
    },
  };
}
