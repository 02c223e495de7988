import { useEffect, useEffectEvent } from 'react';
import type { CombinedError } from 'urql';
import { isSlow, RETRY_MS } from '../../pieces/problem.ts';

/**
 * Reads until the report is not too slow, with a pause after each answer, because the machine is busy.
 * Ends with the function that it returns.
 */
export function repeatSlow(read: () => Promise<CombinedError | undefined>): () => void {
  let stop: () => void = () => undefined;
  let isOver = false;
  const run = async () => {
    const error = await read();
    if (!isOver && isSlow(error)) stop = afterPause(() => void run());
  };
  void run();
  return () => {
    isOver = true;
    stop();
  };
}

/** The same for a query of a component; each answer has an error of its own. */
export function useRepeatSlow(error: CombinedError | undefined, ask: () => void): void {
  const repeat = useEffectEvent(ask);
  useEffect(() => {
    if (!isSlow(error)) return undefined;
    return afterPause(() => repeat());
  }, [error]);
}

/** Once, when the page is visible. Does not, after the function that it returns. */
function afterPause(act: () => void): () => void {
  const timer = setInterval(() => {
    if (document.visibilityState !== 'visible') return;
    clearInterval(timer);
    act();
  }, RETRY_MS);
  return () => clearInterval(timer);
}
