// The accepted and rejected events of each minute in the last hour, merged from the warehouse and the
// live counts. A minute that is missing in both is unknown, not zero.

import { LATE_SECONDS } from '../../pieces/use-delay.ts';

export const MINUTE_MS = 60_000;
export const MINUTES = 60;

type Counts = { readonly accepted: number; readonly rejected: number };
export type Minute = Counts & { readonly startMs: number; readonly isKnown: boolean };
export type Counted = Counts & { readonly atMs: number };
export type History = {
  /** The warehouse has all events up to this time, and none after it. */
  readonly untilMs: number;
  readonly minutes: readonly (Counts & { readonly startMs: number })[];
};

export type Known = {
  readonly history: History | undefined;
  /** Live counts after the end of the history. */
  readonly counted: readonly Counted[];
  /** Since then everything is counted as it comes; undefined while it is not. */
  readonly countingSinceMs: number | undefined;
  readonly nowMs: number;
};

/** The unknown period between the two; undefined if it is negligible. */
export function unknownBetween(known: Known): readonly [number, number] | undefined {
  const { history, countingSinceMs, nowMs } = known;
  const fromMs = history?.untilMs ?? Number.NEGATIVE_INFINITY;
  const toMs = countingSinceMs ?? nowMs;
  return toMs - fromMs < LATE_SECONDS * 1_000 ? undefined : [fromMs, toMs];
}

export function minutesOf(known: Known): Minute[] {
  const { history, counted, nowMs } = known;
  const lastMs = minuteOf(Math.max(nowMs, history?.untilMs ?? 0, counted.at(-1)?.atMs ?? 0));
  const [fromMs, toMs] = unknownBetween(known) ?? [0, 0];
  const past = new Map(history?.minutes.map(minute => [minute.startMs, minute]));
  const live = Map.groupBy(counted, ({ atMs }) => minuteOf(atMs));
  return Array.from({ length: MINUTES }, (_, at) => {
    const startMs = lastMs - (MINUTES - 1 - at) * MINUTE_MS;
    const parts: readonly Counts[] = [past.get(startMs) ?? [], live.get(startMs) ?? []].flat();
    return {
      startMs,
      accepted: parts.reduce((sum, part) => sum + part.accepted, 0),
      rejected: parts.reduce((sum, part) => sum + part.rejected, 0),
      isKnown: startMs >= toMs || startMs + MINUTE_MS <= fromMs,
    };
  });
}

export function minuteOf(ms: number): number {
  return Math.floor(ms / MINUTE_MS) * MINUTE_MS;
}
