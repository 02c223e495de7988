// How every state at the gateway goes on. Events come late, twice and in any order, so that nothing
// may depend on which came last: each state has a position, the furthest one stays, and what the other
// knew beside it is kept. The result is the same whatever the order.

/** Compared from left to right. */
export type Position = readonly number[];

export function comparePositions(one: Position, other: Position): number {
  for (const [index, value] of one.entries()) {
    const difference = value - other[index]!;
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Where both are as far, what was known first stays. */
export function furthest<S extends object>(
  current: S | undefined,
  next: S,
  positionOf: (state: S) => Position,
): S {
  if (current === undefined) return next;
  const isFurther = comparePositions(positionOf(next), positionOf(current)) > 0;
  return isFurther ? filled(next, current) : filled(current, next);
}

/** The first one, with what only the other one knows. */
function filled<S extends object>(winner: S, loser: S): S {
  const known = Object.entries(winner).filter(([, value]) => value !== undefined);
  return { ...loser, ...Object.fromEntries(known) } as S;
}

/** Before the gateway has answered, and where it said no: anything that it says later is further. */
const OURS: Readonly<Record<string, number>> = { CREATING: -3, REFUSED: -2 };
/** A word that we don't know moves nothing that we do. */
const UNKNOWN = -1;

/** Of words in their order. */
export function ranksOf(
  ...words: readonly (string | readonly string[])[]
): ReadonlyMap<string, number> {
  return new Map(words.flatMap((word, rank) => [word].flat().map(one => [one, rank] as const)));
}

export function rankIn(ranks: ReadonlyMap<string, number>, status: string): number {
  return ranks.get(status) ?? OURS[status] ?? UNKNOWN;
}

/** A time that the gateway doesn't say is before any that it says. */
export function timeOf(atMs: number | undefined): number {
  return atMs ?? -1;
}
