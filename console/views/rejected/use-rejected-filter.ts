// The filter of rejected events, kept in the URL, so that a link shows the same events.

import { useCallback, useEffect, useMemo, useState } from 'react';
import { useSearchParams } from 'wouter';
import { type ChosenRange, type Range, rangeOf } from '../../pieces/range/range.ts';
import { LIMITS } from './range.ts';
import { REJECTED } from './rejected-paths.ts';
import type { Visit } from './use-visit.ts';

type Name = 'range' | 'from' | 'to' | 'code' | 'group' | 'accepted';

/** Undefined removes it from the URL. */
export type FilterChange = Partial<Record<Name, string | undefined>>;

type UseRejectedFilter = {
  /** The event that the viewer comes back from. */
  readonly event: Visit['event'];
  readonly params: URLSearchParams;
  readonly chosen: ChosenRange;
  /** Undefined if the chosen times are not a range that the API accepts. */
  readonly range: Range | undefined;
  readonly code: string | undefined;
  /** The key of the opened group. */
  readonly group: string | undefined;
  /** The URL of the list with this change. */
  readonly hrefOf: (change: FilterChange) => string;
  readonly change: (change: FilterChange) => void;
  /** Moves a range such as the last hour up to the present. */
  readonly refresh: () => void;
};

export function useRejectedFilter({ event, nowMs: kept }: Visit): UseRejectedFilter {
  const [params, setParams] = useSearchParams();
  const [nowMs, setNowMs] = useState(() => (event === undefined ? Date.now() : kept.current));
  useEffect(() => {
    kept.current = nowMs;
  }, [kept, nowMs]);
  const [name, from, to] = [params.get('range'), params.get('from'), params.get('to')];
  const chosen = useMemo(() => ({ name, from, to }), [name, from, to]);
  const range = useMemo(() => rangeOf(chosen, LIMITS, nowMs), [chosen, nowMs]);
  return {
    event,
    params,
    chosen,
    range,
    code: params.get('code') ?? undefined,
    group: params.get('group') ?? undefined,
    hrefOf: change => `${REJECTED.groups}?${changed(params, change)}`,
    change: change => setParams(before => changed(before, change), { replace: true }),
    refresh: useCallback(() => setNowMs(Date.now()), []),
  };
}

function changed(before: URLSearchParams, change: FilterChange): URLSearchParams {
  const next = new URLSearchParams(before);
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined) next.delete(name);
    else next.set(name, value);
  }
  return next;
}
