import { useEffect } from 'react';

type Ask = (options: { requestPolicy: 'network-only' }) => void;

/** Asks again every so often while somebody looks; undefined: not. */
export function useRepeat(ask: Ask, everyMs: number | undefined): void {
  useEffect(() => {
    if (everyMs === undefined) return undefined;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') ask({ requestPolicy: 'network-only' });
    }, everyMs);
    return () => clearInterval(timer);
  }, [ask, everyMs]);
}
