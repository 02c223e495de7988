// The faults that the kit can inject into a request.

import { setTimeout as wait } from 'node:timers/promises';
import { corsHeaders } from '../ingest/http/cors.ts';
import type { SentEvent } from './read-delivery.ts';
import type { Attempt } from './record.ts';
import type { Answer, Exchange } from './server.ts';

export type Fault = (exchange: Exchange) => Promise<void>;

/** No fault: ingest responds. */
export const pass: Fault = async exchange => exchange.answer(await exchange.forward());

/**
 * An error response in the form of ingest, also with CORS headers. Ingest does not receive the
 * request.
 */
export function refuse(status: number, code: string, headers: Answer['headers'] = {}): Fault {
  return async exchange => {
    const { origin } = exchange.attempt.headers;
    const isReadable = origin !== undefined && code !== 'ORIGIN_NOT_ALLOWED';
    exchange.answer({
      status,
      headers: {
        'content-type': 'application/json',
        ...(isReadable ? Object.fromEntries(corsHeaders(origin)) : {}),
        ...headers,
      },
      body: JSON.stringify({ detail: `The kit responds with ${status}.`, code }),
    });
  };
}

/**
 * An HTML page of a proxy or network between the client and ingest. Ingest does not receive the
 * request.
 */
export function page(status: number, headers: Answer['headers'] = {}): Fault {
  return async exchange =>
    exchange.answer({
      status,
      headers: { 'content-type': 'text/html; charset=utf-8', ...headers },
      body: '<!doctype html><title>Network</title><h1>Please sign in to this network</h1>',
    });
}

/** The connection is reset; ingest does not receive the request. */
export const cut: Fault = async exchange => exchange.cut();

/** Ingest has stored the events, and its response is lost. */
export const loseAnswer: Fault = async exchange => {
  await exchange.forward();
  exchange.cut();
};

/** Ingest has stored the events, and its response is truncated. */
export const truncateAnswer: Fault = async exchange =>
  exchange.answerInPart(await exchange.forward());

/** Nothing happens until the client closes the connection. */
export const silence: Fault = exchange => exchange.closed;

export function slow(delayMs: number): Fault {
  return async exchange => {
    await wait(delayMs);
    exchange.answer(await exchange.forward());
  };
}

/**
 * Ingest receives the batch with these events made invalid, so that ingest itself responds with
 * 400.
 */
export function spoil(isSpoiled: (event: SentEvent) => boolean): Fault {
  return async exchange => {
    const { events, sentAt, writeKey } = exchange.attempt.delivery!;
    const batch = events.map(event =>
      isSpoiled(event) ? { ...event, timestamp: 'not a time' } : event,
    );
    exchange.answer(await exchange.forward(JSON.stringify({ batch, sentAt, writeKey })));
  };
}

/** The faults of the first batches; later batches have none. */
export function firstly(...faults: readonly Fault[]): (attempt: Attempt) => Fault {
  const left = [...faults];
  return ({ delivery }) => (delivery === undefined ? pass : (left.shift() ?? pass));
}

/** The same fault for every batch. */
export function always(fault: Fault): (attempt: Attempt) => Fault {
  return ({ delivery }) => (delivery === undefined ? pass : fault);
}
