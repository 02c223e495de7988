import { useState } from 'react';

export type ListState = {
  /** What was queried. */
  readonly list: unknown;
  /** Whether the rows are still those of the list before. */
  readonly isLoading: boolean;
};

/**
 * The rows in their order when the list was loaded, while their numbers change: a row stays where it is
 * read. New rows are last. Another list has another order.
 */
export function useSteadyOrder<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  { list, isLoading }: ListState,
): readonly Row[] {
  const [first, setFirst] = useState(() => ({ list, keys: rows.map(keyOf) }));
  if (first.list !== list) {
    if (!isLoading) setFirst({ list, keys: rows.map(keyOf) });
    return rows;
  }
  const placeOf = (row: Row) => {
    const place = first.keys.indexOf(keyOf(row));
    return place === -1 ? first.keys.length : place;
  };
  return rows.toSorted((one, other) => placeOf(one) - placeOf(other));
}
