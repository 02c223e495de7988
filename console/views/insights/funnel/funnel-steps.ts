// The steps of a funnel for all people, whatever it is broken down by.

import type { FunnelLine } from './funnel-query.ts';

export type FunnelStep = {
  /** From 1. */
  readonly step: number;
  readonly people: number;
  /** From 0 to 1; null where there is nobody to divide by. */
  readonly fromFirst: number | null;
  readonly fromPrevious: number | null;
  /** Null for the first step, for steps without people, and for several lines. */
  readonly medianSeconds: number | null;
  /** The people who did not reach the next step; null for the last one. */
  readonly dropOffs: number | null;
};

/** A person is in one line, so their numbers add up. */
export function stepsOf(lines: readonly FunnelLine[]): readonly FunnelStep[] {
  const first = lines[0]?.steps ?? [];
  const people = first.map((_, at) =>
    lines.reduce((sum, { steps }) => sum + (steps[at]?.people ?? 0), 0),
  );
  return first.map(({ step, medianSecondsFromPrevious }, at) => ({
    step,
    people: people[at]!,
    fromFirst: shareOf(people[at]!, people[0]!),
    fromPrevious: at === 0 ? null : shareOf(people[at]!, people[at - 1]!),
    medianSeconds: lines.length === 1 ? medianSecondsFromPrevious : null,
    dropOffs: at === people.length - 1 ? null : people[at]! - people[at + 1]!,
  }));
}

function shareOf(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

/** The step after which the most people drop off; undefined if nobody does. */
export function mostDropOffs(steps: readonly FunnelStep[]): FunnelStep | undefined {
  const most = Math.max(0, ...steps.map(({ dropOffs }) => dropOffs ?? 0));
  return most === 0 ? undefined : steps.find(({ dropOffs }) => dropOffs === most);
}
