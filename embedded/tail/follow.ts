// A subscription that reconnects automatically until it is ended.

import { setTimeout as wait } from 'node:timers/promises';
import { LIVE_DOCUMENT, type TailItem } from './live-document.ts';

export type Follow = {
  readonly url: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly workspaceId: string | undefined;
  /** Fetched for each attempt, so that a refused token can be replaced. */
  readonly token: () => Promise<string>;
  readonly mayRenewToken: boolean;
  readonly signal: AbortSignal;
  readonly onItem: (item: TailItem) => void;
  /** Messages for the user about waiting and reconnecting. */
  readonly onNote: (note: string) => void;
};

/** Errors that a retry does not fix. */
export class Hopeless extends Error {}

const RETRY_MS = 500;
const RETRY_MS_MAX = 5_000;
/** The service sends data at least every 12 s, if only a keep-alive. */
const SILENCE_MS_MAX = 40_000;

/** Resolves when the signal is aborted; throws Hopeless. */
export async function follow(options: Follow): Promise<void> {
  const { signal, onNote } = options;
  let [hasBegun, failures] = [false, 0];
  while (!signal.aborted) {
    try {
      await followOnce(options, () => {
        if (hasBegun) onNote('reconnected');
        [hasBegun, failures] = [true, 0];
      });
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof Hopeless) throw error;
      const reason = reasonOf(error);
      if (!hasBegun && failures === 0 && isUnreachable(error))
        throw new Hopeless(
          `no response from ${options.url} (${reason}). Start the service with npm start, or set its address with --url.`,
        );
      failures++;
      onNote(`disconnected, retrying: ${reason}`);
    }
    const waitMs = Math.min(RETRY_MS * 2 ** failures, RETRY_MS_MAX);
    await wait(waitMs, undefined, { signal }).catch(() => undefined);
  }
}

async function followOnce(options: Follow, onBegun: () => void): Promise<void> {
  const { url, workspaceId, variables, token, signal, onItem } = options;
  const silence = new AbortController();
  const timer = setTimeout(
    () => silence.abort(new Error(`no data received for ${SILENCE_MS_MAX / 1000} s`)),
    SILENCE_MS_MAX,
  );
  try {
    const answer = await fetch(new URL('/graphql', url), {
      method: 'POST',
      headers: {
        accept: 'text/event-stream',
        'content-type': 'application/json',
        authorization: `Bearer ${await token()}`,
        ...(workspaceId !== undefined && { 'x-workspace-id': workspaceId }),
      },
      body: JSON.stringify({ query: LIVE_DOCUMENT, variables }),
      signal: AbortSignal.any([signal, silence.signal]),
    });
    if (!answer.headers.get('content-type')?.startsWith('text/event-stream'))
      throw faultOf(options, answer.status, await answer.text());
    if (answer.ok) onBegun();
    for await (const data of dataOf(answer.body!, () => timer.refresh())) {
      const { data: result, errors } = JSON.parse(data) as Result;
      if (errors !== undefined) throw faultOf(options, answer.status, data);
      if (result) onItem(result.live);
    }
  } finally {
    clearTimeout(timer);
  }
}

type Result = {
  readonly data?: { readonly live: TailItem } | null;
  readonly errors?: readonly { readonly message?: string }[];
};

async function* dataOf(
  body: ReadableStream<Uint8Array>,
  onSign: () => void,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of body) {
    onSign();
    text += decoder.decode(piece, { stream: true });
    const events = text.split('\n\n');
    text = events.pop()!;
    for (const event of events)
      for (const line of event.split('\n'))
        if (line.startsWith('data: ') && line !== 'data: ') yield line.slice('data: '.length);
  }
}

function faultOf({ url, mayRenewToken }: Follow, status: number, text: string): Error {
  const message = messageIn(text) ?? `${url} responded with ${status}`;
  if (status === 401)
    return mayRenewToken
      ? new Error('the token is no longer valid')
      : new Hopeless(`the token is invalid or has expired; create one with npm run token`);
  if (status === 404) return new Hopeless(`${url} is not the address of the service`);
  const isTemporary = status === 429 || status >= 500;
  return isTemporary ? new Error(message) : new Hopeless(message);
}

function messageIn(text: string): string | undefined {
  try {
    return (JSON.parse(text) as Result).errors?.[0]?.message;
  } catch {
    return undefined;
  }
}

function isUnreachable(error: unknown): boolean {
  return error instanceof TypeError && error.cause instanceof Error;
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as Error;
  return cause instanceof Error
    ? cause.message || (cause as NodeJS.ErrnoException).code || message
    : message;
}
