import { useMemo, useState } from 'react';
import { useSearchParams } from 'wouter';
import { type ChosenRange, type Range, type RangeLimits, rangeOf } from './range.ts';

type UseRange = {
  readonly chosen: ChosenRange;
  /** Undefined if the chosen times are not a range that the API accepts. */
  readonly range: Range | undefined;
  readonly change: (chosen: ChosenRange) => void;
};

/** The time range of a report, kept in the address, so that a link shows the same. */
export function useRange(limits: RangeLimits): UseRange {
  const [params, setParams] = useSearchParams();
  const [nowMs] = useState(Date.now);
  const [name, from, to] = [params.get('range'), params.get('from'), params.get('to')];
  const chosen = useMemo(() => ({ name, from, to }), [name, from, to]);
  const range = useMemo(() => rangeOf(chosen, limits, nowMs), [chosen, limits, nowMs]);
  return {
    chosen,
    range,
    change: next => setParams(before => withRange(before, next), { replace: true }),
  };
}

function withRange(before: URLSearchParams, { name, from, to }: ChosenRange): URLSearchParams {
  const next = new URLSearchParams(before);
  for (const [key, value] of Object.entries({ range: name, from, to })) {
    if (value === null) next.delete(key);
    else next.set(key, value);
  }
  return next;
}
