import { useQuery } from 'urql';
import { graphql, type ResultOf } from '../graph/graphql.ts';
import { useRepeat } from './use-repeat.ts';

const DELAY = graphql(`
  query IngestDelay {
    ingestHealth { delay { seconds isComplete completeUntil nodes nodesAnswering } }
  }
`);

export type Delay = NonNullable<ResultOf<typeof DELAY>['ingestHealth']>['delay'];

/** From this delay on, a banner is shown; a delay of a few seconds is normal. */
export const LATE_SECONDS = 30;

/**
 * How far reports are behind what was accepted; undefined until that is answered. It is one question
 * for all who use it, so that one of them asking again is enough.
 */
export function useDelay(askAgainMs?: number): Delay | undefined {
  const [{ data }, ask] = useQuery({ query: DELAY });
  useRepeat(ask, askAgainMs);
  return data?.ingestHealth?.delay;
}

export function isLate({ seconds }: Pick<Delay, 'seconds'>): boolean {
  return seconds !== null && seconds >= LATE_SECONDS;
}

/** Whether reports may still lack data of the past, or may not be known to have all of it. */
export function useIsBehind(): boolean {
  const delay = useDelay();
  return delay === undefined || !delay.isComplete || isLate(delay);
}
