// The rule for every state of a gateway object. Events arrive late, more than once and in any
// order, so the result must not depend on the order of arrival. Each state has a position, and the
// furthest position wins. Values that only the other state has are kept.

/** Compared from left to right. */
export type Position = readonly number[];

function comparePositions(one: Position, other: Position): number {
  for (const [index, value] of one.entries()) {
    const difference = value - other[index]!;
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Whether a state that is reported now was left behind already. */
export function isBehind<S>(
  current: S | undefined,
  next: S,
  positionOf: (state: S) => Position,
): boolean {
  return current !== undefined && comparePositions(positionOf(next), positionOf(current)) < 0;
}

/** On a tie, the current state wins. */
export function furthest<S extends object>(
  current: S | undefined,
  next: S,
  positionOf: (state: S) => Position,
): S {
  if (current === undefined) return next;
  const isFurther = comparePositions(positionOf(next), positionOf(current)) > 0;
  return isFurther ? filled(next, current) : filled(current, next);
}

/** The winner, completed with values that only the loser has. */
function filled<S extends object>(winner: S, loser: S): S {
  const known = Object.entries(winner).filter(([, value]) => value !== undefined);
  return { ...loser, ...Object.fromEntries(known) } as S;
}

/** Our own statuses rank below all statuses of the gateway. */
const OURS: Readonly<Record<string, number>> = { CREATING: -3, REFUSED: -2 };
/** An unknown status never replaces a known one. */
const UNKNOWN = -1;

/** Ranks the statuses in the given order. */
export function ranksOf(
  ...words: readonly (string | readonly string[])[]
): ReadonlyMap<string, number> {
  return new Map(words.flatMap((word, rank) => [word].flat().map(one => [one, rank] as const)));
}

export function rankIn(ranks: ReadonlyMap<string, number>, status: string): number {
  return ranks.get(status) ?? OURS[status] ?? UNKNOWN;
}

type Status = { readonly status: string };

/** The rule of objects whose statuses have an order: the highest wins, and the latest of its time. */
export function byRank(...words: readonly (string | readonly string[])[]) {
  const ranks = ranksOf(...words);
  const rankOf = (status: string) => rankIn(ranks, status);
  return {
    rankOf,
    furthest: <S extends Status & { readonly statusAtMs: number | undefined }>(
      current: S | undefined,
      next: S,
    ) => furthest(current, next, ({ status, statusAtMs }) => [rankOf(status), timeOf(statusAtMs)]),
    isLate: (current: Status | undefined, fact: Status) =>
      current !== undefined && rankOf(fact.status) < rankOf(current.status),
  };
}

/** A missing time ranks before any other. */
export function timeOf(atMs: number | undefined): number {
  return atMs ?? -1;
}
