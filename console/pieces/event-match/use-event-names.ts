import { useMemo } from 'react';
import { type RequestPolicy, useQuery } from 'urql';
import { graphql } from '../../graph/graphql.ts';
import { DAY_MS } from '../range/range.ts';

const NAMES = graphql(`
  query EventNames($range: ReportRange!) {
    eventCounts(range: $range, bucket: DAY, top: 50) { lines { name isRest total } }
  }
`);

/** An event that is in use occurs at least once in this time. */
export const EVENT_NAME_DAYS = 30;

export type EventName = { readonly name: string; readonly total: number };

/**
 * The most frequent events, pages and screens of the last days; undefined until they are known. Each
 * page of a view has the same, in the same order, until `useNewEventNames` reads them again.
 */
export function useEventNames(): readonly EventName[] | undefined {
  const [{ data }] = useNames('cache-first');
  return useMemo(() => namesOf(data?.eventCounts?.lines), [data]);
}

/** For a view, when it is opened. */
export function useNewEventNames(): void {
  useNames('cache-and-network');
}

function useNames(requestPolicy: RequestPolicy) {
  const variables = useMemo(() => ({ range: rangeOfNames() }), []);
  return useQuery({ query: NAMES, variables, requestPolicy });
}

/** Until midnight, so that its answer can be kept for a day. */
export function rangeOfNames() {
  const midnight = new Date().setHours(24, 0, 0, 0);
  const from = midnight - EVENT_NAME_DAYS * DAY_MS;
  return { from: new Date(from).toISOString(), to: new Date(midnight).toISOString() };
}

type Line = { readonly name: string | null; readonly isRest: boolean; readonly total: number };

/** A name that several types of event have is listed once. */
function namesOf(lines: readonly Line[] | undefined): readonly EventName[] | undefined {
  if (lines === undefined) return undefined;
  const totals = new Map<string, number>();
  for (const { name, isRest, total } of lines)
    if (!isRest && name !== null && name !== '') totals.set(name, (totals.get(name) ?? 0) + total);
  return [...totals].map(([name, total]) => ({ name, total }));
}
