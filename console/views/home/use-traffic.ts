import { useMemo } from 'react';
import { useQuery } from 'urql';
import { TRAFFIC } from './home-query.ts';

export const DAYS = 7;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** The events of each of the last days, and of as many days before them, to compare them with. */
export function useTraffic() {
  const variables = useMemo(() => {
    const midnight = new Date().setHours(0, 0, 0, 0);
    return {
      range: {
        from: new Date(midnight - (2 * DAYS - 1) * DAY_MS).toISOString(),
        // Also events that arrive while this is asked; to the minute, so that all who ask share the answer.
        to: new Date((Math.floor(Date.now() / MINUTE_MS) + 2) * MINUTE_MS).toISOString(),
      },
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    };
  }, []);
  return useQuery({ query: TRAFFIC, variables });
}

/** Undefined if the warehouse does not know. */
export function sumOf(values: readonly number[] | null | undefined): number | undefined {
  return values?.reduce((sum, value) => sum + value, 0);
}
