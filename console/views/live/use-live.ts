import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { type Client, type CombinedError, useClient } from 'urql';
import type { LiveCounts } from '../../pieces/live-feed/live-document.ts';
import type { Sent } from '../../pieces/sent-event/sent.ts';
import { type Live, LiveGathering, NOTHING_YET } from './gather-live.ts';
import { MINUTE_MS } from './minutes-of.ts';
import { readStored } from './read-stored.ts';
import { repeatSlow } from './repeat-slow.ts';
import { type Filter, variablesOf } from './use-filter.ts';

type UseLive = {
  /** Another filter starts another list. */
  readonly filter: Filter;
  readonly isWanted: (sent: Sent) => boolean;
  /** While it is held, the list does not change. */
  readonly isHeld: boolean;
  readonly onCounts: (counts: LiveCounts) => void;
};

type LiveList = Live & {
  /** Whether the events before the page was opened are being read. */
  readonly isReading: boolean;
  /** They could not be read. */
  readonly error: CombinedError | undefined;
  /** Reads them again, and connects again if the connection was refused. */
  readonly retry: () => void;
};

/** The list begins with the events of this period. */
const EARLIER_MS = 15 * MINUTE_MS;
/**
 * Events that arrived shortly before the page was opened are in the reports after a few seconds, so
 * the reports are read twice.
 */
const STORED_MS = 6_000;

/** The events of the workspace: those of the last minutes, then those that arrive. */
export function useLive({ filter, isWanted, isHeld, onCounts }: UseLive): LiveList {
  const client = useClient();
  const [live, setLive] = useState(NOTHING_YET);
  const [isReading, setIsReading] = useState(true);
  const [error, setError] = useState<CombinedError>();
  const [starts, setStarts] = useState(0);
  const [reads, setReads] = useState(0);
  const gathering = useRef<LiveGathering>(undefined);
  const count = useEffectEvent(onCounts);
  const wants = useEffectEvent(isWanted);
  const follow = useEffectEvent((one: LiveGathering) => one.setHeld(isHeld));
  useEffect(() => {
    setLive(NOTHING_YET);
    setError(undefined);
    const one = new LiveGathering({
      client,
      variables: variablesOf(filter),
      onChange: setLive,
      onCounts: counts => count(counts),
      isWanted: sent => wants(sent),
    });
    gathering.current = one;
    follow(one);
    return one.start();
  }, [client, filter, starts]);
  useEffect(() => {
    setIsReading(true);
    return readEarlier({ client, filter }, (sents, failure) => {
      gathering.current?.addEarlier(sents);
      setError(failure);
      setIsReading(false);
    });
    // A retry reads again; the rows and the focus on them stay.
  }, [client, filter, starts, reads]);
  useEffect(() => gathering.current?.setHeld(isHeld), [isHeld]);
  const isRefused = live.connection.state === 'refused';
  const retry = () => (isRefused ? setStarts : setReads)(before => before + 1);
  return { ...live, isReading, error, retry };
}

type Earlier = { readonly client: Client; readonly filter: Filter };
type OnRead = (sents: readonly Sent[], error: CombinedError | undefined) => void;

/** Ends with the function that it returns. */
function readEarlier({ client, filter }: Earlier, onRead: OnRead): () => void {
  let isOver = false;
  let asked = 0;
  let answered = 0;
  const openedMs = Date.now();
  const read = async () => {
    const number = ++asked;
    const period = { fromMs: openedMs - EARLIER_MS, toMs: Date.now() };
    const { sents, error } = await readStored(client, period, filter);
    // The answer to a later question came first.
    if (isOver || number < answered) return undefined;
    answered = number;
    onRead(sents, error);
    return error;
  };
  let stop = repeatSlow(read);
  const timer = setTimeout(() => {
    stop();
    stop = repeatSlow(read);
  }, STORED_MS);
  return () => {
    isOver = true;
    stop();
    clearTimeout(timer);
  };
}
