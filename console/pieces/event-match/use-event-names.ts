import { useMemo } from 'react';
import { useQuery } from 'urql';
import { graphql } from '../../graph/graphql.ts';
import { DAY_MS } from '../range/range.ts';

const NAMES = graphql(`
  query EventNames($range: ReportRange!) {
    eventCounts(range: $range, bucket: DAY, top: 50) { lines { name isRest total } }
  }
`);

/** An event that is in use occurs at least once in this time. */
const DAYS = 30;

export type EventName = { readonly name: string; readonly total: number };

/** The most frequent events, pages and screens of the last days; undefined until they are known. */
export function useEventNames(): readonly EventName[] | undefined {
  const variables = useMemo(() => {
    const midnight = new Date().setHours(24, 0, 0, 0);
    const [from, to] = [midnight - DAYS * DAY_MS, midnight];
    return { range: { from: new Date(from).toISOString(), to: new Date(to).toISOString() } };
  }, []);
  const [{ data }] = useQuery({ query: NAMES, variables });
  return useMemo(() => namesOf(data?.eventCounts?.lines), [data]);
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
