import { useMemo, useState } from 'react';
import { navigate, useSearch } from 'wouter/use-browser-location';

const DAY_MS = 86_400_000;
/** Events carry the time of the device's clock, which can be ahead. */
const AHEAD_MS = 5 * 60_000;

export const LENGTHS = [
  { days: '1', label: '24 hours' },
  { days: '7', label: '7 days' },
  // The longest that the API reads at once.
  { days: '31', label: '31 days' },
] as const;
const DAYS_DEFAULT = '7';

export type Range = { readonly from: string; readonly to: string };

type RangeState = {
  readonly range: Range;
  readonly days: string;
  /** False if the range ends at a moment in the past. */
  readonly isUntilNow: boolean;
  readonly setDays: (days: string) => void;
  readonly goEarlier: () => void;
  readonly goLater: () => void;
  readonly refresh: () => void;
};

/** The days that are shown, kept in the address: how many, and until when. Its other filters stay. */
export function useRange(): RangeState {
  const params = new URLSearchParams(useSearch());
  const [refreshed, setRefreshed] = useState(0);
  const days = LENGTHS.find(one => one.days === params.get('days'))?.days ?? DAYS_DEFAULT;
  const untilMs = Date.parse(params.get('until') ?? '');
  const isUntilNow = Number.isNaN(untilMs);
  const lengthMs = Number(days) * DAY_MS;
  const range = useMemo(() => {
    void refreshed;
    const toMs = isUntilNow ? Date.now() + AHEAD_MS : untilMs;
    return { from: new Date(toMs - lengthMs).toISOString(), to: new Date(toMs).toISOString() };
  }, [isUntilNow, untilMs, lengthMs, refreshed]);
  const show = (shownDays: string, toMs: number | undefined) => {
    const next = new URLSearchParams(params);
    next.set('days', shownDays);
    next.delete('until');
    if (toMs !== undefined && toMs < Date.now()) next.set('until', new Date(toMs).toISOString());
    // With the browser's own path: the router would decode a part of the user ID in it. The state
    // has the way back to the list.
    navigate(`${location.pathname}?${next}`, { state: history.state });
  };
  const toMs = Date.parse(range.to);
  return {
    range,
    days,
    isUntilNow,
    setDays: next => show(next, isUntilNow ? undefined : toMs),
    goEarlier: () => show(days, toMs - lengthMs),
    goLater: () => show(days, toMs + lengthMs),
    refresh: () => setRefreshed(before => before + 1),
  };
}
