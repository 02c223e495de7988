import { INSTANT_MAX_MS, INSTANT_MIN_MS } from '../../schema/values/instant.ts';
import { CLOCK_SKEW_TOLERATED_MS } from '../limits.ts';

/** What all rows of a batch share. */
export type BatchFacts = {
  readonly endpoint: string;
  readonly workspaceIdBytes: Uint8Array;
  readonly propertyIdBytes: Uint8Array;
  readonly keyIdBytes: Uint8Array;
  readonly receivedAtMs: number;
  readonly sentAtMs: number;
  /** sentAt as sent where it was not in the canonical form, else ''. */
  readonly sentAtText: string;
};

/** By how much the client's times are corrected: not at all unless its clock is evidently wrong. */
export function correctionMs({ receivedAtMs, sentAtMs }: BatchFacts): number {
  const skewMs = receivedAtMs - sentAtMs;
  return Math.abs(skewMs) <= CLOCK_SKEW_TOLERATED_MS ? 0 : skewMs;
}

/** The event's time by our clock. */
export function correctedMs(timestampMs: number, facts: BatchFacts): number {
  return Math.min(Math.max(timestampMs + correctionMs(facts), INSTANT_MIN_MS), INSTANT_MAX_MS);
}
