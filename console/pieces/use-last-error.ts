import { useState } from 'react';
import type { UseQueryState } from 'urql';

/**
 * The query, with the error of its last answer while it is repeated. urql drops the error, but keeps the nulls
 * of that answer, which without the error mean that there is nothing.
 */
export function useLastError<Data>(state: UseQueryState<Data>): UseQueryState<Data> {
  const { error, fetching } = state;
  const [last, setLast] = useState(error);
  if (!fetching && error !== last) setLast(error);
  if (!fetching || error !== undefined || last === undefined) return state;
  return { ...state, error: last };
}
