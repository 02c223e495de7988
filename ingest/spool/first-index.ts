/**
 * The index of the first item for which `isReached` is true; the length if there is none.
 * Precondition: `isReached` is true for all following items.
 */
export function firstIndex<Item>(
  items: readonly Item[],
  isReached: (item: Item) => boolean,
): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isReached(items[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}
