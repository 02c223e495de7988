import { INSTANT_MAX_MS, INSTANT_MIN_MS } from '../../schema/values/instant.ts';
import { CLOCK_SKEW_TOLERATED_MS } from '../limits.ts';

/** The values shared by all rows of a batch. */
export type BatchFacts = {
  readonly endpoint: string;
  readonly workspaceIdBytes: Uint8Array;
  readonly propertyIdBytes: Uint8Array;
  readonly keyIdBytes: Uint8Array;
  readonly receivedAtMs: number;
  readonly sentAtMs: number;
  /** sentAt as sent if it was not in the canonical form; otherwise ''. */
  readonly sentAtText: string;
};

/** The correction of the client's timestamps. 0 unless the client's clock is clearly wrong. */
export function correctionMs({ receivedAtMs, sentAtMs }: BatchFacts): number {
  const skewMs = receivedAtMs - sentAtMs;
  return Math.abs(skewMs) <= CLOCK_SKEW_TOLERATED_MS ? 0 : skewMs;
}

/** The event's timestamp corrected to our clock. */
export function correctedMs(timestampMs: number, facts: BatchFacts): number {
  return Math.min(Math.max(timestampMs + correctionMs(facts), INSTANT_MIN_MS), INSTANT_MAX_MS);
}
