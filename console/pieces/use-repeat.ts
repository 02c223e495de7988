import { useEffect } from 'react';

export type Ask = (options: { requestPolicy: 'network-only' }) => void;

/** Repeats the query at an interval while the page is visible; undefined, as either, disables it. */
export function useRepeat(ask: Ask | undefined, everyMs: number | undefined): void {
  useEffect(() => {
    if (ask === undefined || everyMs === undefined) return undefined;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') ask({ requestPolicy: 'network-only' });
    }, everyMs);
    return () => clearInterval(timer);
  }, [ask, everyMs]);
}
