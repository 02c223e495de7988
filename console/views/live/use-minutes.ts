import { useCallback, useEffect, useMemo, useState } from 'react';
import { type Client, type CombinedError, useClient } from 'urql';
import { graphql } from '../../graph/graphql.ts';
import type { LiveCounts } from '../../pieces/live-feed/live-document.ts';
import { isLate } from '../../pieces/use-delay.ts';
import { useNow } from '../../pieces/use-now.ts';
import {
  type Counted,
  type History,
  MINUTE_MS,
  MINUTES,
  type Minute,
  minuteOf,
  minutesOf,
  unknownBetween,
} from './minutes-of.ts';
import { repeatSlow } from './repeat-slow.ts';

/** Events before this time are in the warehouse, unless ingest reports a delay. */
const SETTLED_MS = 5_000;
/** Counts come every ten seconds at least; after a longer silence something may have been missed. */
const SILENCE_MS_MAX = 15_000;

const HISTORY = graphql(`
  query LiveHistory($range: ReportRange!) {
    ingestHealth(range: $range, bucket: MINUTE) {
      bucketStarts accepted rejected
      delay { seconds completeUntil }
    }
  }
`);

export type Minutes = {
  readonly minutes: readonly Minute[];
  /** The warehouse query is in progress. */
  readonly isAsking: boolean;
  readonly unknown: readonly [fromMs: number, toMs: number] | undefined;
  readonly error: CombinedError | undefined;
  /** Repeats the query. */
  readonly retry: () => void;
  readonly count: (counts: LiveCounts) => void;
};

/**
 * The query is repeated every minute, so that errors do not last. Live counts are removed only once
 * the warehouse has the events.
 */
export function useMinutes(): Minutes {
  const client = useClient();
  const nowMs = useNow();
  const { counted, countingSinceMs, count, dropUntil } = useCounted();
  const [history, setHistory] = useState<History>();
  const [error, setError] = useState<CombinedError>();
  const [tries, setTries] = useState(0);
  const retry = useCallback(() => setTries(before => before + 1), []);
  useEffect(() => {
    let isWanted = true;
    const ask = async (untilMs: number) => {
      const answer = await askHistory(client, untilMs);
      if (!isWanted) return undefined;
      setError(answer.error);
      if (answer.history === undefined) return answer.error;
      setHistory(answer.history);
      dropUntil(answer.history.untilMs);
      return answer.error;
    };
    const stop = repeatSlow(() => ask(Date.now()));
    const timer = setInterval(() => void ask(Date.now() - SETTLED_MS), MINUTE_MS);
    return () => {
      isWanted = false;
      stop();
      clearInterval(timer);
    };
  }, [client, dropUntil, tries]);
  const known = useMemo(
    () => ({ history, counted, countingSinceMs, nowMs }),
    [history, counted, countingSinceMs, nowMs],
  );
  return {
    minutes: useMemo(() => minutesOf(known), [known]),
    isAsking: history === undefined && error === undefined,
    unknown: useMemo(() => unknownBetween(known), [known]),
    error,
    retry,
    count,
  };
}

type Counting = { readonly sinceMs: number; readonly lastMs: number };

/** The live counts of the last hour. */
function useCounted() {
  const [counted, setCounted] = useState<readonly Counted[]>([]);
  const [counting, setCounting] = useState<Counting>();
  const count = useCallback((counts: LiveCounts) => {
    const { at, accepted, duplicates, rejected, isIngestAnswering } = counts;
    const atMs = Date.parse(at);
    setCounting(before => {
      if (!isIngestAnswering) return undefined;
      const goesOn = before !== undefined && atMs - before.lastMs <= SILENCE_MS_MAX;
      return { sinceMs: goesOn ? before.sinceMs : atMs, lastMs: atMs };
    });
    if (accepted + rejected === 0) return;
    const oldestMs = minuteOf(atMs) - (MINUTES - 1) * MINUTE_MS;
    setCounted(before => [
      ...before.filter(one => one.atMs >= oldestMs),
      { atMs, accepted: accepted - duplicates, rejected },
    ]);
  }, []);
  const dropUntil = useCallback(
    (untilMs: number) => setCounted(before => before.filter(({ atMs }) => atMs > untilMs)),
    [],
  );
  return { counted, countingSinceMs: counting?.sinceMs, count, dropUntil };
}

type Answer = { readonly error: CombinedError | undefined; readonly history?: History };

/**
 * If the warehouse is late, only up to the time until which it is complete: later events would be
 * counted twice or not at all.
 */
async function askHistory(client: Client, untilMs: number): Promise<Answer> {
  const { error, health } = await askUntil(client, untilMs);
  if (health === undefined) return { error };
  const completeMs = Date.parse(health.delay.completeUntil ?? '');
  if (!isLate(health.delay) || !(completeMs < untilMs))
    return { error, history: { untilMs, minutes: health.minutes } };
  const complete = await askUntil(client, completeMs);
  if (complete.health === undefined) return { error: complete.error };
  return { error, history: { untilMs: completeMs, minutes: complete.health.minutes } };
}

async function askUntil(client: Client, untilMs: number) {
  const range = {
    from: new Date(minuteOf(untilMs) - (MINUTES - 1) * MINUTE_MS).toISOString(),
    to: new Date(untilMs).toISOString(),
  };
  const requestPolicy = 'network-only';
  const { data, error } = await client.query(HISTORY, { range }, { requestPolicy }).toPromise();
  const found = data?.ingestHealth;
  if (!found?.accepted || !found.rejected) return { error };
  const { accepted, rejected, delay, bucketStarts } = found;
  const minutes = bucketStarts.map((start, at) => ({
    startMs: Date.parse(start),
    accepted: accepted[at] ?? 0,
    rejected: rejected[at] ?? 0,
  }));
  return { error, health: { delay, minutes } };
}
