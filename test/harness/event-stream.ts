// A client for the control plane's subscriptions: Server-Sent Events over its own connection.

import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { expect } from 'vitest';
import { eventually } from './eventually.ts';

export type StreamItem = Readonly<Record<string, unknown>>;

export type EventStream = {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** The items of the queried field received so far. */
  readonly items: readonly StreamItem[];
  readonly errors: readonly { readonly extensions?: unknown }[];
  /** All text received so far. */
  text(): string;
  /** 'complete' if the server ended the stream, 'cut' if it closed the connection. */
  readonly end: 'complete' | 'cut' | undefined;
  close(): void;
  /** Stops reading. */
  pause(): void;
};

export type StreamOptions = {
  readonly token?: string | undefined;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Resolves when the server has responded. */
export async function openStream(
  apiUrl: string,
  query: string,
  { token, variables = {}, headers = {} }: StreamOptions,
): Promise<EventStream> {
  const [outgoing, answer] = await ask(apiUrl, JSON.stringify({ query, variables }), {
    'content-type': 'application/json',
    accept: 'text/event-stream',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...headers,
  });
  let [text, read] = ['', 0];
  let end: EventStream['end'];
  const items: StreamItem[] = [];
  const errors: EventStream['errors'][number][] = [];
  answer.setEncoding('utf8');
  answer.on('data', (part: string) => {
    text += part;
    for (let at = text.indexOf('\n\n', read); at >= 0; at = text.indexOf('\n\n', read)) {
      const lines = text.slice(read, at).split('\n');
      read = at + 2;
      if (lines.includes('event: complete')) end = 'complete';
      const data = lines.find(line => line.startsWith('data: '))?.slice('data: '.length);
      if (!data) continue;
      const result = JSON.parse(data) as Result;
      items.push(...Object.values(result.data ?? {}));
      errors.push(...(result.errors ?? []));
    }
  });
  answer.on('error', () => undefined);
  answer.on('close', () => {
    end ??= 'cut';
  });
  return {
    status: answer.statusCode ?? 0,
    headers: answer.headers,
    items,
    errors,
    text: () => text,
    get end() {
      return end;
    },
    close: () => outgoing.destroy(),
    pause: () => void answer.pause(),
  };
}

type Result = {
  readonly data?: Readonly<Record<string, StreamItem>> | null;
  readonly errors?: EventStream['errors'];
};

function ask(
  apiUrl: string,
  body: string,
  headers: Readonly<Record<string, string>>,
): Promise<[ClientRequest, IncomingMessage]> {
  return new Promise((resolve, reject) => {
    const outgoing = request(`${apiUrl}/graphql`, { method: 'POST', headers, agent: false });
    outgoing.on('error', reject);
    outgoing.on('response', answer => resolve([outgoing, answer]));
    outgoing.end(body);
  });
}

/** Resolves to the first item that matches. */
export function itemOf(
  stream: EventStream,
  isIt: (item: StreamItem) => boolean,
): Promise<StreamItem> {
  return eventually(
    () => {
      const found = stream.items.find(isIt);
      expect(found, stream.text()).toBeDefined();
      return found!;
    },
    { intervalMs: 20 },
  );
}
