// The positions of the lines in a version tree, next to a list with the newest version first. A
// version is in the lane of its first descendant; each further descendant has its own lane, which
// joins the lane of its origin.

export type Ancestor = { readonly id: string; readonly basedOnId: string | null };

export type LaneRow = {
  /** The lane of the version; 0 is the leftmost. */
  readonly lane: number;
  /** Whether a line comes down to it from a later version in its lane. */
  readonly hasLater: boolean;
  /** Whether its line continues to an earlier version. */
  readonly hasEarlier: boolean;
  /** Lanes that end here: their versions came from this one. */
  readonly joins: readonly number[];
  /** Lanes that pass by. */
  readonly passes: readonly number[];
};

export function lanesOf(versions: readonly Ancestor[]): LaneRow[] {
  const ids = new Set(versions.map(({ id }) => id));
  /** By lane, the version that its line leads to. */
  const awaited: (string | undefined)[] = [];
  return versions.map(({ id, basedOnId }) => {
    const arriving = awaited.flatMap((waits, lane) => (waits === id ? [lane] : []));
    const lane = arriving[0] ?? firstFree(awaited);
    for (const ended of arriving) awaited[ended] = undefined;
    const passes = awaited.flatMap((waits, at) => (waits === undefined ? [] : [at]));
    // No line leads to a version that is not displayed.
    const hasEarlier = basedOnId !== null && ids.has(basedOnId);
    awaited[lane] = hasEarlier ? basedOnId : undefined;
    return { lane, hasLater: arriving.length > 0, hasEarlier, joins: arriving.slice(1), passes };
  });
}

function firstFree(awaited: readonly (string | undefined)[]): number {
  const free = awaited.indexOf(undefined);
  return free === -1 ? awaited.length : free;
}

export function laneCount(rows: readonly LaneRow[]): number {
  return 1 + Math.max(0, ...rows.flatMap(({ lane, passes }) => [lane, ...passes]));
}
