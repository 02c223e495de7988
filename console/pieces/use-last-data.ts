import { useState } from 'react';
import type { UseQueryState } from 'urql';

/**
 * The data of a query with constant variables. While a refetch fails, it is that of the last answer: urql
 * drops it, and with it an open dialog and what was typed there.
 */
export function useLastData<Data>({ data, error }: UseQueryState<Data>): Data | undefined {
  const [last, setLast] = useState(data);
  if (data !== undefined && data !== null && data !== last) setLast(data);
  return data ?? (error === undefined ? undefined : last);
}
