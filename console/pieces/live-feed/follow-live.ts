// A subscription that reconnects automatically while the page is open.

import type { Client, CombinedError } from 'urql';
import { LIVE, type LiveItem, type LiveVariables } from './live-document.ts';

export type Connection =
  | { readonly state: 'connecting' | 'live' | 'reconnecting' }
  /** The API responds, but ingest does not respond to the API. */
  | { readonly state: 'waiting' }
  /** Errors that a retry does not fix. */
  | { readonly state: 'refused'; readonly error: CombinedError };

export type FollowLive = {
  readonly client: Client;
  readonly variables: LiveVariables;
  readonly onItem: (item: LiveItem) => void;
  readonly onConnection: (connection: Connection) => void;
};

const RETRY_MS = 500;
const RETRY_MS_MAX = 10_000;
/** Counts come at least every 10 s; a connection that is silent for longer is none. */
const SILENCE_MS_MAX = 30_000;
const HOPELESS = new Set(['UNAUTHENTICATED', 'FORBIDDEN', 'BAD_USER_INPUT']);

/** Ends with the function that it returns. */
export function followLive({ client, variables, onItem, onConnection }: FollowLive): () => void {
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let end: () => void = () => undefined;

  function begin(): void {
    // A completed or refused subscription has ended; a silent one has not.
    end();
    onConnection({ state: failures === 0 ? 'connecting' : 'reconnecting' });
    listenFor(SILENCE_MS_MAX);
    const subscription = client
      .subscription(LIVE, variables)
      .subscribe(({ data, error, hasNext }) => {
        if (error !== undefined) fail(error);
        else if (!hasNext) again();
        else if (data !== undefined) take(data.live);
      });
    end = () => subscription.unsubscribe();
  }
  function take(item: LiveItem): void {
    failures = 0;
    listenFor(SILENCE_MS_MAX);
    if (item.__typename === 'LiveCounts')
      onConnection({ state: item.isIngestAnswering ? 'live' : 'waiting' });
    onItem(item);
  }
  function fail(error: CombinedError): void {
    if (isHopeless(error)) {
      clearTimeout(timer);
      onConnection({ state: 'refused', error });
    } else again();
  }
  function again(): void {
    onConnection({ state: 'reconnecting' });
    clearTimeout(timer);
    timer = setTimeout(begin, Math.min(RETRY_MS * 2 ** failures, RETRY_MS_MAX));
    failures++;
  }
  function listenFor(silenceMs: number): void {
    clearTimeout(timer);
    timer = setTimeout(again, silenceMs);
  }
  function stop(): void {
    clearTimeout(timer);
    end();
  }

  begin();
  return stop;
}

function isHopeless({ graphQLErrors }: CombinedError): boolean {
  return graphQLErrors.some(({ extensions }) => HOPELESS.has(String(extensions.code)));
}
