import { useEffect, useEffectEvent } from 'react';
import type { CombinedError } from 'urql';
import { afterPause } from '../../pieces/after-pause.ts';
import { isSlow } from '../../pieces/problem.ts';

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
