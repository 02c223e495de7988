export type Random = {
  /** A random integer from 0 to `limit` - 1. */
  below(limit: number): number;
  pick<T>(from: readonly T[]): T;
  shuffle<T>(list: T[]): T[];
};

/** Mulberry32: the same seed gives the same sequence, so a failure can be reproduced. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  function below(limit: number): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  }
  return {
    below,
    pick: from => from[below(from.length)]!,
    shuffle(list) {
      for (let i = list.length - 1; i > 0; i--) {
        const j = below(i + 1);
        [list[i], list[j]] = [list[j]!, list[i]!];
      }
      return list;
    },
  };
}
