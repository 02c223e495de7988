// The batches of a soak. Each is a function of its number alone, so that it can be sent again at any
// time, and the stored events can be compared without keeping their IDs.

import { batchTemplate, ID_DIGITS } from '../ingest/bodies.ts';

export const EVENTS_PER_BATCH = 50;

/**
 * How many of 20 batches each organization sends: tenants differ in size. The dashboards read the
 * first one, because the cost of their queries depends on the events of its day.
 */
const SHARES = [1, 1, 9, 9];
const ORGANIZATION_OF = SHARES.flatMap((share, index) =>
  Array.from({ length: share }, () => index),
);
export const ORGANIZATIONS = SHARES.length;

/** The people of each batch differ, and its `identify` events update their contacts. */
const TEMPLATES_PER_ORGANIZATION = 100;
const TIME = /"(?:timestamp|sentAt)":"([^"]+)"/g;

export function organizationOf(batch: number): number {
  return ORGANIZATION_OF[batch % ORGANIZATION_OF.length]!;
}

/** One of 20 requests repeats an earlier batch, as an SDK does if it did not receive the response. */
const REPEAT_EVERY = 20;
/** A batch in progress, a batch of half a minute ago, and one of five minutes ago, at 5,000 events/s. */
const REPEAT_AGES = [1, 3_000, 30_000];

export type Sending = { readonly batch: number; readonly isRepeat: boolean };

/** The batch that the request with this number sends. */
export function sendingOf(request: number): Sending {
  const round = Math.floor(request / REPEAT_EVERY);
  const next = request - round;
  if (request % REPEAT_EVERY !== REPEAT_EVERY - 1) return { batch: next, isRepeat: false };
  const age = REPEAT_AGES[round % REPEAT_AGES.length]!;
  return { batch: Math.max(0, next - age), isRepeat: true };
}

/** The number of requests that send this number of new batches. */
export function requestsFor(batches: number): number {
  return (batches * REPEAT_EVERY) / (REPEAT_EVERY - 1);
}

type Template = {
  readonly body: Buffer;
  readonly idOffsets: Uint32Array;
  readonly times: readonly { readonly offset: number; readonly beforeSentMs: number }[];
};

/** Returns the body of a batch; `sentAtMs` must be the same each time. */
export function createBatches(writeKeys: readonly string[]) {
  const templates = writeKeys.map((writeKey, organization) =>
    Array.from({ length: TEMPLATES_PER_ORGANIZATION }, (_, index) =>
      makeTemplate(organization * TEMPLATES_PER_ORGANIZATION + index, writeKey),
    ),
  );
  return (batch: number, sentAtMs: number): Buffer => {
    const own = templates[organizationOf(batch)]!;
    const { body, idOffsets, times } =
      own[Math.floor(batch / ORGANIZATION_OF.length) % own.length]!;
    // A copy, because the last request with this template may still be in progress.
    const bytes = Buffer.from(body);
    for (const [index, offset] of idOffsets.entries())
      bytes.write(idOf(batch * EVENTS_PER_BATCH + index), offset, 'latin1');
    for (const { offset, beforeSentMs } of times)
      bytes.write(new Date(sentAtMs - beforeSentMs).toISOString(), offset, 'latin1');
    return bytes;
  };
}

function makeTemplate(number: number, writeKey: string): Template {
  const nowMs = Date.now();
  const { body, idOffsets } = batchTemplate(number, EVENTS_PER_BATCH, writeKey, nowMs);
  // In latin1, offsets in the text are offsets in the body.
  const times = Array.from(body.toString('latin1').matchAll(TIME), match => ({
    offset: match.index + match[0].length - match[1]!.length - 1,
    beforeSentMs: nowMs - Date.parse(match[1]!),
  }));
  return { body, idOffsets, times };
}

/** The first digits of a message ID: the event's number, last digit first, so that IDs are scattered. */
function idOf(event: number): string {
  return Array.from(event.toString(16).padStart(ID_DIGITS, '0')).toReversed().join('');
}

/** The event's number, in ClickHouse. */
export const EVENT_OF_MESSAGE_ID = `reinterpretAsUInt32(reverse(unhex(reverse(substring(message_id, 1, ${ID_DIGITS})))))`;
