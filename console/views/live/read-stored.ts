// Reads the events that arrived in the last minutes, or in one minute, from the reports.

import type { Client, CombinedError } from 'urql';
import { rejectedSent } from '../../pieces/sent-event/rejected-sent.ts';
import type { Sent } from '../../pieces/sent-event/sent.ts';
import { EVENT_TYPES, type EventType } from './filter-values.ts';
import { acceptedOf, STORED, STORED_REJECTED } from './stored-document.ts';
import type { Filter } from './use-filter.ts';

export type Period = { readonly fromMs: number; readonly toMs: number };

export type Stored = {
  /** The newest first. */
  readonly sents: readonly Sent[];
  /** Whether there are older ones that were not read. */
  readonly isCut: boolean;
  readonly error: CombinedError | undefined;
};

/** The list shows 200 events. */
const PAGES_MAX = 2;
const NETWORK = { requestPolicy: 'network-only' } as const;

export async function readStored(client: Client, period: Period, filter: Filter): Promise<Stored> {
  const [accepted, rejected] = await Promise.all([
    filter.shown === 'rejected' || filter.code !== '' ? NONE : readAccepted(client, period, filter),
    filter.shown === 'accepted' ? NONE : readRejected(client, period, filter),
  ]);
  const sents = [...accepted.sents, ...rejected.sents].toSorted(
    (one, other) => Date.parse(other.receivedAt) - Date.parse(one.receivedAt),
  );
  const isCut = accepted.isCut || rejected.isCut;
  return { sents, isCut, error: accepted.error ?? rejected.error };
}

const NONE: Stored = { sents: [], isCut: false, error: undefined };

async function readAccepted(client: Client, period: Period, { type }: Filter): Promise<Stored> {
  const isType = (EVENT_TYPES as readonly string[]).includes(type);
  if (type !== '' && !isType) return NONE;
  const range = rangeOf(period);
  const types = isType ? [type.toUpperCase() as EventType] : null;
  return readPages(async after => {
    const { data, error } = await client.query(STORED, { range, types, after }, NETWORK);
    return { page: data?.events, sents: data?.events?.nodes.map(acceptedOf), error };
  });
}

async function readRejected(client: Client, period: Period, filter: Filter): Promise<Stored> {
  const code = filter.code === '' ? null : filter.code;
  const range = rangeOf(period);
  const stored = await readPages(async after => {
    const { data, error } = await client.query(STORED_REJECTED, { range, code, after }, NETWORK);
    const page = data?.rejectedEvents;
    return { page, sents: page?.nodes.map(rejectedSent), error };
  });
  const { type } = filter;
  return { ...stored, sents: stored.sents.filter(sent => type === '' || sent.type === type) };
}

type Answer = {
  readonly page?: { readonly pageInfo: PageInfo } | null | undefined;
  readonly sents: readonly Sent[] | undefined;
  readonly error: CombinedError | undefined;
};
type PageInfo = { readonly hasNextPage: boolean; readonly endCursor: string | null };

async function readPages(read: (after: string | null) => Promise<Answer>): Promise<Stored> {
  const sents: Sent[] = [];
  let after: string | null = null;
  for (let pages = 0; pages < PAGES_MAX; pages++) {
    const answer: Answer = await read(after);
    sents.push(...(answer.sents ?? []));
    if (!answer.page) return { sents, isCut: true, error: answer.error };
    after = answer.page.pageInfo.endCursor;
    if (!answer.page.pageInfo.hasNextPage) return { sents, isCut: false, error: undefined };
  }
  return { sents, isCut: true, error: undefined };
}

function rangeOf({ fromMs, toMs }: Period) {
  return { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() };
}
