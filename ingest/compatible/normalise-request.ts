// Writes the body of a compatible request as bodies of /v1/batch. Other vendors limit only the
// bytes of a request, and their clients send up to 250 events, so one request can become several
// batches.

import { type Problem, problem } from '../../schema/values/problem.ts';
import { BATCH_EVENTS_MAX, BODY_BYTES_MAX, COMPATIBLE_EVENTS_MAX } from '../limits.ts';
import type { ForeignRequest } from './foreign-endpoint.ts';
import { elementsOf, membersOf, type Span } from './json-spans.ts';
import { type Envelope, normaliseEvent } from './normalise-event.ts';

export type EventRequest = ForeignRequest & {
  /** The type named by the path; undefined if the body is a batch. */
  readonly type: string | undefined;
  readonly pageNameIn?: Envelope['pageNameIn'];
};

/** Bodies of the contract, each within its limits. */
export function normaliseRequest(request: EventRequest): Buffer[] | Problem {
  const { text, value, type, writeKey, receivedAtMs, pageNameIn } = request;
  const receivedAt = new Date(receivedAtMs).toISOString();
  const sentAt = typeof value.sentAt === 'string' && value.sentAt !== '' ? value.sentAt : undefined;
  const envelope: Envelope = { type, sentAt, receivedAt, pageNameIn };
  const named = [
    `"writeKey":${JSON.stringify(writeKey)}`,
    `"sentAt":${JSON.stringify(sentAt ?? receivedAt)}`,
  ];
  const whole = wholeOf(text);
  if (type !== undefined) {
    const event = normaliseEvent(text, whole, value, 0, envelope);
    return batchesOf(`{${named.join(',')}`, [event]);
  }
  const members = membersOf(text, whole.start);
  const others = members.filter(({ name }) => !REPLACED.has(name));
  const head = `{${[...others.map(({ keyStart, end }) => text.slice(keyStart, end)), ...named].join(',')}`;
  const batch = members.findLast(({ name }) => name === 'batch');
  // The contract refuses a value that is not an array.
  if (batch === undefined) return [Buffer.from(`${head}}`)];
  if (!Array.isArray(value.batch))
    return [Buffer.from(`${head},"batch":${text.slice(batch.start, batch.end)}}`)];
  const values: readonly unknown[] = value.batch;
  if (values.length > COMPATIBLE_EVENTS_MAX) return tooMany(values.length);
  const events = elementsOf(text, batch.start).map((span, place) =>
    normaliseEvent(text, span, values[place], place, envelope),
  );
  return batchesOf(head, events);
}

const REPLACED: ReadonlySet<string> = new Set(['batch', 'sentAt', 'writeKey']);

/** The text, parsed as an object. */
export function wholeOf(text: string): Span {
  return { start: text.indexOf('{'), end: text.lastIndexOf('}') + 1 };
}

export function tooMany(count: number): Problem {
  return problem(
    'TOO_MANY_EVENTS',
    `batch has ${count} events; send at most ${COMPATIBLE_EVENTS_MAX}.`,
  );
}

/** `head` is the text of the batch without its events and without the closing brace. */
function batchesOf(head: string, events: readonly string[]): Buffer[] | Problem {
  const frameBytes = Buffer.byteLength(`${head},"batch":[]}`);
  const groups: string[][] = [[]];
  let bytes = frameBytes;
  for (const event of events) {
    const eventBytes = Buffer.byteLength(event) + 1;
    const group = groups.at(-1)!;
    const isFull = group.length === BATCH_EVENTS_MAX || bytes + eventBytes > BODY_BYTES_MAX;
    if (isFull && group.length > 0) {
      groups.push([event]);
      bytes = frameBytes + eventBytes;
    } else {
      group.push(event);
      bytes += eventBytes;
    }
    if (bytes > BODY_BYTES_MAX) return problem('PAYLOAD_TOO_LARGE');
  }
  return groups.map(group => Buffer.from(`${head},"batch":[${group.join(',')}]}`));
}
