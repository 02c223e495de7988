// What ingest took of one workspace, asked for again and again for as long as somebody watches. Ingest
// holds each question until there is something, so this waits without asking often.

import { setTimeout as wait } from 'node:timers/promises';
import {
  TAIL_PATH,
  type TailAnswer,
  type TailCounts,
  type TailEntry,
} from '../../../schema/values/tail.ts';
import type { IngestConfig } from '../../platform/config.ts';

export type IngestNews = TailCounts & {
  readonly entries: readonly TailEntry[];
  /** Counted, but not among the entries. */
  readonly notShown: number;
};

export type FollowOptions = {
  readonly ingest: IngestConfig;
  readonly workspaceId: string;
  readonly signal: AbortSignal;
  readonly onNews: (news: IngestNews) => void;
  /** It doesn't answer now; asked again in a moment. */
  readonly onAway: (error: Error) => void;
};

/** Ingest holds a question for a second. */
const ANSWER_TIMEOUT_MS = 5_000;
const RETRY_MS = 1_000;

/** Resolves once the signal is aborted; never throws. */
export async function followIngest(options: FollowOptions): Promise<void> {
  const { signal, onNews, onAway } = options;
  let last: TailAnswer | undefined;
  while (!signal.aborted) {
    try {
      const answer = await ask(options, last?.cursor ?? '');
      // It was not asked in time, or is another process: what came meanwhile nobody knows.
      if (answer.isNew && last !== undefined) onAway(new Error('ingest has begun anew'));
      onNews(newsOf(answer, last));
      last = answer;
    } catch (error) {
      if (signal.aborted) return;
      onAway(error as Error);
      await wait(RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}

async function ask(
  { ingest, workspaceId, signal }: FollowOptions,
  after: string,
): Promise<TailAnswer> {
  const address = new URL(TAIL_PATH, ingest.url);
  address.search = new URLSearchParams({ workspace_id: workspaceId, after }).toString();
  const answer = await fetch(address, {
    headers: { authorization: `Bearer ${ingest.token}` },
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]),
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`ingest answers ${answer.status}`);
  return JSON.parse(text) as TailAnswer;
}

/** Of a watch that has only begun nothing is news: its counts are where to count from. */
function newsOf(answer: TailAnswer, last: TailAnswer | undefined): IngestNews {
  const { entries, isNew } = answer;
  if (isNew || last === undefined)
    return { accepted: 0, duplicates: 0, rejected: 0, entries: [], notShown: 0 };
  const accepted = answer.accepted - last.accepted;
  const rejected = answer.rejected - last.rejected;
  return {
    accepted,
    duplicates: answer.duplicates - last.duplicates,
    rejected,
    entries,
    notShown: accepted + rejected - entries.length,
  };
}
