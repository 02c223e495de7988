import { useCallback, useEffect, useMemo, useState } from 'react';
import { type Client, type CombinedError, useClient } from 'urql';
import { graphql } from '../../graph/graphql.ts';
import { useNow } from '../../pieces/use-now.ts';
import type { LiveCounts } from './live-document.ts';

const MINUTE_MS = 60_000;
const MINUTES = 60;
/** What came earlier than this is in the warehouse. */
const SETTLED_MS = 5_000;

const HISTORY = graphql(`
  query LiveHistory($range: ReportRange!) {
    ingestHealth(range: $range, bucket: MINUTE) { bucketStarts accepted rejected }
  }
`);

export type Minute = { readonly startMs: number; accepted: number; rejected: number };
type Counted = { readonly atMs: number; readonly accepted: number; readonly rejected: number };
type History = { readonly untilMs: number; readonly minutes: readonly Minute[] };

export type Minutes = {
  readonly minutes: readonly Minute[];
  readonly isKnown: boolean;
  readonly error: CombinedError | undefined;
  readonly count: (counts: LiveCounts) => void;
};

/**
 * Accepted and refused in each minute of the last hour: what the warehouse has, and what was counted
 * since it was asked. It is asked once a minute, so that nothing is off for long.
 */
export function useMinutes(): Minutes {
  const client = useClient();
  const nowMs = useNow();
  const [history, setHistory] = useState<History>();
  const [counted, setCounted] = useState<readonly Counted[]>([]);
  const [error, setError] = useState<CombinedError>();
  const askUntil = useCallback(
    async (untilMs: number, isWanted: () => boolean) => {
      const answer = await askHistory(client, untilMs);
      if (!isWanted()) return;
      setError(answer.error);
      if (answer.history === undefined) return;
      setHistory(answer.history);
      setCounted(before => before.filter(({ atMs }) => atMs > untilMs));
    },
    [client],
  );
  useEffect(() => {
    let isWanted = true;
    const ask = (untilMs: number) => void askUntil(untilMs, () => isWanted);
    ask(Date.now());
    const timer = setInterval(() => ask(Date.now() - SETTLED_MS), MINUTE_MS);
    return () => {
      isWanted = false;
      clearInterval(timer);
    };
  }, [askUntil]);
  const count = useCallback(({ at, accepted, duplicates, rejected }: LiveCounts) => {
    if (accepted + rejected === 0) return;
    const one = { atMs: Date.parse(at), accepted: accepted - duplicates, rejected };
    setCounted(before => [...before, one]);
  }, []);
  const minutes = useMemo(() => minutesOf(history, counted, nowMs), [history, counted, nowMs]);
  return { minutes, isKnown: history !== undefined, error, count };
}

async function askHistory(client: Client, untilMs: number) {
  const range = {
    from: new Date(minuteOf(untilMs) - (MINUTES - 1) * MINUTE_MS).toISOString(),
    to: new Date(untilMs).toISOString(),
  };
  const requestPolicy = 'network-only';
  const { data, error } = await client.query(HISTORY, { range }, { requestPolicy }).toPromise();
  const found = data?.ingestHealth;
  if (!found) return { error };
  const minutes = found.bucketStarts.map((start, at) => ({
    startMs: Date.parse(start),
    accepted: found.accepted[at] ?? 0,
    rejected: found.rejected[at] ?? 0,
  }));
  return { error, history: { untilMs, minutes } };
}

function minutesOf(
  history: History | undefined,
  counted: readonly Counted[],
  nowMs: number,
): Minute[] {
  const lastMs = minuteOf(Math.max(nowMs, history?.untilMs ?? 0, counted.at(-1)?.atMs ?? 0));
  const known = new Map(history?.minutes.map(minute => [minute.startMs, minute]));
  const minutes = Array.from({ length: MINUTES }, (_, at) => {
    const startMs = lastMs - (MINUTES - 1 - at) * MINUTE_MS;
    return { accepted: 0, rejected: 0, ...known.get(startMs), startMs };
  });
  for (const { atMs, accepted, rejected } of counted) {
    const minute = minutes[MINUTES - 1 - (lastMs - minuteOf(atMs)) / MINUTE_MS];
    if (minute === undefined) continue;
    minute.accepted += accepted;
    minute.rejected += rejected;
  }
  return minutes;
}

function minuteOf(ms: number): number {
  return Math.floor(ms / MINUTE_MS) * MINUTE_MS;
}
