// The order of the steps of a journey, which is a graph without cycles: only widgets branch.

export type Linked = {
  readonly id: string;
  readonly kind: 'SEND' | 'WIDGET' | 'WAIT' | 'END';
  readonly next: string | null;
  readonly onDismissed: string | null;
  readonly onExpired: string | null;
};

export type Outcome = 'clicked' | 'dismissed' | 'expired';

export type Way = {
  readonly to: string;
  /** Empty where the step has one successor only. */
  readonly outcomes: readonly Outcome[];
};

/** The successors of a step, each once: the main way first. */
export function waysFrom({ kind, next, onDismissed, onExpired }: Linked): Way[] {
  if (kind === 'END' || next === null) return [];
  const targets: readonly (readonly [Outcome, string])[] = [
    ['clicked', next],
    ['dismissed', onDismissed ?? next],
    ['expired', onExpired ?? next],
  ];
  const byTarget = Map.groupBy(kind === 'WIDGET' ? targets : targets.slice(0, 1), ([, to]) => to);
  return [...byTarget].map(([to, ways]) => ({
    to,
    outcomes: byTarget.size === 1 ? [] : ways.map(([outcome]) => outcome),
  }));
}

/** Each step after all that lead to it, and the main way before the others. */
export function inOrder<S extends Linked>(steps: readonly S[]): S[] {
  const byId = new Map(steps.map(step => [step.id, step]));
  const done = new Set<string>();
  const reversed: S[] = [];
  const visit = (id: string) => {
    const step = byId.get(id);
    if (step === undefined || done.has(id)) return;
    done.add(id);
    for (const { to } of waysFrom(step).toReversed()) visit(to);
    reversed.push(step);
  };
  if (steps[0] !== undefined) visit(steps[0].id);
  return reversed.reverse();
}
