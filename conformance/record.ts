// The kit's record of a scenario: the calls that it requested from the client, and every request
// that the client sent. Times are milliseconds since 1970 on the kit's clock.

import type { IncomingHttpHeaders } from 'node:http';
import type { Delivery } from './read-delivery.ts';

/** One line for the driver. */
export type Line = Readonly<Record<string, unknown>> & { readonly call: string };

export type Call = {
  /** Unique in the scenario; it is part of the call's values, by which its event is recognized. */
  readonly mark: string;
  readonly line: Line;
  readonly atMs: number;
  /** The expected outcome of its event. */
  fate: 'stored' | 'dropped' | 'either';
};

export type Ending =
  | {
      readonly kind: 'answered';
      readonly atMs: number;
      readonly status: number;
      readonly body: string;
      readonly retryAfterSeconds: number | undefined;
    }
  /** The response was truncated, or the connection closed without a response. */
  | { readonly kind: 'cut'; readonly atMs: number };

export type Attempt = {
  readonly number: number;
  readonly atMs: number;
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  /** Only for POST /v1/batch. */
  readonly delivery: Delivery | undefined;
  /** The JSON body, for the other endpoints. */
  readonly json: Readonly<Record<string, unknown>> | undefined;
  /** Undefined while the client is waiting for the response. */
  ending: Ending | undefined;
  /** Ingest's response about the events, if it received them. */
  ingest: { readonly status: number; readonly body: string } | undefined;
};

export type Recording = {
  readonly calls: Call[];
  readonly attempts: readonly Attempt[];
};

/** A request to POST /v1/batch. */
export type Batch = Attempt & { readonly delivery: Delivery };

export function batchAttempts({ attempts }: Recording): readonly Batch[] {
  return attempts.filter((attempt): attempt is Batch => attempt.delivery !== undefined);
}

/** The field in which the kit puts the mark of a call and looks for it in an event. */
export function markOf(event: Readonly<{ [field: string]: unknown }>): string | undefined {
  for (const field of ['properties', 'traits'] as const) {
    const mark = (event[field] as { mark?: unknown } | null | undefined)?.mark;
    if (typeof mark === 'string') return mark;
  }
  return typeof event.previousId === 'string' ? event.previousId : undefined;
}

/** The message IDs that ingest has stored. */
export function storedIds(record: Recording): Set<string> {
  const ids = new Set<string>();
  for (const { ingest, delivery } of batchAttempts(record)) {
    if (ingest === undefined || (ingest.status !== 200 && ingest.status !== 400)) continue;
    const answer = JSON.parse(ingest.body) as { rejected?: { index: number }[]; code?: string };
    if (ingest.status === 400 && answer.code !== 'EVENTS_REJECTED') continue;
    const rejected = new Set(answer.rejected?.map(({ index }) => index));
    for (const [index, event] of delivery.events.entries())
      if (!rejected.has(index)) ids.add(event.messageId);
  }
  return ids;
}

/** The marks of the calls whose events ingest has stored. */
export function storedMarks(record: Recording): Set<string> {
  const ids = storedIds(record);
  const marks = batchAttempts(record).flatMap(({ delivery }) =>
    delivery.events.filter(({ messageId }) => ids.has(messageId)).map(markOf),
  );
  return new Set(marks.filter(mark => mark !== undefined));
}
