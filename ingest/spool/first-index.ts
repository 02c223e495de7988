/** The index of the first item that `isReached` is true of, as it is of all behind it; else the length. */
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
