import { useMemo } from 'react';
import { useQuery } from 'urql';
import { isLate } from '../../pieces/use-delay.ts';
import { useLastError } from '../../pieces/use-last-error.ts';
import { TRAFFIC, type Traffic } from './home-query.ts';

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
  const [state, ask] = useQuery({ query: TRAFFIC, variables });
  return [useLastError(state), ask] as const;
}

/** More events of today can arrive for as long as data is late. */
export function isTodayPartial({ delay }: Traffic): boolean {
  return !delay.isComplete || isLate(delay);
}

/** Undefined if the warehouse does not know. */
export function sumOf(values: readonly number[] | null | undefined): number | undefined {
  return values?.reduce((sum, value) => sum + value, 0);
}
