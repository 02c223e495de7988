// Long-polls ingest for the events of one workspace while the workspace has subscribers. Ingest
// holds each request until it has events.

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
  /** Counted but not in `entries`. */
  readonly notShown: number;
};

type FollowOptions = {
  readonly ingest: IngestConfig;
  readonly workspaceId: string;
  readonly signal: AbortSignal;
  readonly onNews: (news: IngestNews) => void;
  /** Called when a request fails. The request is retried shortly after. */
  readonly onAway: (error: Error) => void;
};

/** Ingest holds a request for up to a second. */
const ANSWER_TIMEOUT_MS = 5_000;
const RETRY_MS = 1_000;

/** Resolves when the signal is aborted. Never throws. */
export async function followIngest(options: FollowOptions): Promise<void> {
  const { signal, onNews, onAway } = options;
  let last: TailAnswer | undefined;
  while (!signal.aborted) {
    try {
      const answer = await ask(options, last?.cursor ?? '');
      // The watch expired or ingest restarted, so events in between may have been missed.
      if (answer.isNew && last !== undefined) onAway(new Error('ingest started a new watch'));
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
  if (answer.status !== 200) throw new Error(`ingest returned ${answer.status}`);
  return JSON.parse(text) as TailAnswer;
}

/** The first response of a watch contains no news; its counts are the baseline. */
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
