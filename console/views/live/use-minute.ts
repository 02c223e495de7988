import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { type CombinedError, useClient } from 'urql';
import type { Sent } from '../../pieces/sent-event/sent.ts';
import { type LiveRow, withStored } from './live-rows.ts';
import { readStored } from './read-stored.ts';
import { repeatSlow } from './repeat-slow.ts';
import { type Filter, periodOf } from './use-filter.ts';

type Minute = {
  readonly rows: readonly LiveRow[];
  readonly isReading: boolean;
  /** Whether older events of the minute are not in the list. */
  readonly isCut: boolean;
  readonly error: CombinedError | undefined;
  readonly retry: () => void;
};

/** The events of the minute that the list is filtered by; undefined without such a filter. */
export function useMinute(filter: Filter, isWanted: (sent: Sent) => boolean): Minute | undefined {
  const client = useClient();
  const [rows, setRows] = useState<readonly LiveRow[]>([]);
  const [isReading, setIsReading] = useState(true);
  const [isCut, setIsCut] = useState(false);
  const [error, setError] = useState<CombinedError>();
  const [tries, setTries] = useState(0);
  const nextKey = useRef(0);
  const wants = useEffectEvent(isWanted);
  useEffect(() => {
    setRows([]);
    setError(undefined);
  }, [client, filter]);
  useEffect(() => {
    const period = periodOf(filter);
    if (period === undefined) return undefined;
    let isOver = false;
    setIsReading(true);
    const stop = repeatSlow(async () => {
      const stored = await readStored(client, period, filter);
      if (isOver) return undefined;
      const wanted = stored.sents.filter(wants);
      setRows(before => withStored(before, wanted, () => nextKey.current++));
      setError(stored.error);
      setIsCut(stored.isCut);
      setIsReading(false);
      return stored.error;
    });
    return () => {
      isOver = true;
      stop();
    };
    // A retry reads again; the rows stay.
  }, [client, filter, tries]);
  if (filter.minute === '') return undefined;
  return { rows, isReading, isCut, error, retry: () => setTries(before => before + 1) };
}
