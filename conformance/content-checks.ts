// Checks of the contents of each request: bodies, IDs and times.

import { isDeepStrictEqual } from 'node:util';
import type { Evidence } from './general-checks.ts';
import { type Batch, markOf } from './record.ts';
import type { RuleId } from './rules.ts';
import type { Problem } from './stage.ts';

/**
 * Clocks have a resolution of a millisecond, and the client may read a line before the kit records
 * the write.
 */
const CLOCK_TOLERANCE_MS = 50;

const ENVELOPE_RULES: { readonly [code: string]: RuleId } = {
  TOO_MANY_EVENTS: 'batch-events',
  PAYLOAD_TOO_LARGE: 'batch-bytes',
  MALFORMED_ENCODING: 'encoding',
  UNSUPPORTED_ENCODING: 'encoding',
};
/** Ingest also accepts text/plain, which browsers send without a preflight request. */
const MEDIA_TYPES = ['application/json', 'text/plain'];

export function* bodyProblems(batch: Batch, { writeKey }: Evidence): Generator<Problem> {
  const { delivery, headers, number } = batch;
  const { problem, rejected, events } = delivery;
  const mediaType = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (!MEDIA_TYPES.includes(mediaType ?? ''))
    yield {
      rule: 'media-type',
      expected: 'Content-Type: application/json',
      found: `request ${number} has ${mediaType ?? 'none'}`,
    };
  // A client may learn from the 413 that one event is too large.
  const isOneLargeEvent = problem?.code === 'PAYLOAD_TOO_LARGE' && events.length === 1;
  if (problem !== undefined && !isOneLargeEvent)
    yield {
      rule: ENVELOPE_RULES[problem.code] ?? 'envelope',
      expected: 'a body that ingest accepts',
      found: `request ${number}: ${problem.code}: ${problem.message}`,
    };
  else if (delivery.writeKey !== undefined && delivery.writeKey !== writeKey)
    yield {
      rule: 'envelope',
      expected: `writeKey ${writeKey}`,
      found: `request ${number} has ${delivery.writeKey}`,
    };
  for (const { index, code, message } of rejected)
    yield {
      rule: 'required-fields',
      expected: 'events that ingest accepts',
      found: `request ${number}, event ${index}: ${code}: ${message}`,
    };
}

export function* idProblems(batches: readonly Batch[]): Generator<Problem> {
  const idOfMark = new Map<string, string>();
  const first = new Map<string, { batch: Batch; event: unknown; mark: string | undefined }>();
  for (const batch of batches)
    for (const event of batch.delivery.events) {
      const mark = markOf(event);
      const { messageId } = event;
      const known = first.get(messageId);
      if (known === undefined) first.set(messageId, { batch, event, mark });
      else if (known.mark !== mark || known.batch === batch)
        yield {
          rule: 'message-id-unique',
          expected: 'a different messageId for each call',
          found: `messageId ${messageId} is used by two calls`,
        };
      else if (!isDeepStrictEqual(known.event, event))
        yield {
          rule: 'content-kept',
          expected: `the same event as in request ${known.batch.number}: ${JSON.stringify(known.event).slice(0, 400)}`,
          found: `request ${batch.number}: ${JSON.stringify(event).slice(0, 400)}`,
        };
      if (mark === undefined) continue;
      const earlier = idOfMark.get(mark) ?? messageId;
      idOfMark.set(mark, earlier);
      if (earlier !== messageId)
        yield {
          rule: 'message-id-kept',
          expected: `messageId ${earlier} on each attempt`,
          found: `request ${batch.number} has messageId ${messageId} for the same call`,
        };
    }
}

export function* timestampProblems(
  batches: readonly Batch[],
  { record, clockOffsetMs }: Evidence,
): Generator<Problem> {
  const calledAt = new Map(record.calls.map(({ mark, atMs }) => [mark, atMs]));
  const seen = new Set<string>();
  for (const { atMs, number, delivery } of batches)
    for (const event of delivery.events) {
      const calledAtMs = calledAt.get(markOf(event) ?? '');
      if (calledAtMs === undefined || seen.has(event.messageId)) continue;
      seen.add(event.messageId);
      const timestampMs = Date.parse(event.timestamp) - clockOffsetMs;
      const isBetween =
        timestampMs >= calledAtMs - CLOCK_TOLERANCE_MS && timestampMs <= atMs + CLOCK_TOLERANCE_MS;
      if (!isBetween)
        yield {
          rule: 'timestamp',
          expected: `between ${iso(calledAtMs + clockOffsetMs)} and ${iso(atMs + clockOffsetMs)}`,
          found: `request ${number}: ${event.timestamp}`,
        };
    }
}

/** The maximum time from setting sentAt to the arrival, on one machine, even if it is busy. */
const TRANSIT_MAX_MS = 5_000;

export function* sentAtProblems(
  batches: readonly Batch[],
  { clockOffsetMs }: Evidence,
): Generator<Problem> {
  const latest = new Map<string, { sentAtMs: number; number: number }>();
  for (const { atMs, number, delivery } of batches) {
    const sentAtMs = Date.parse(delivery.sentAt ?? '');
    const transitMs = atMs + clockOffsetMs - sentAtMs;
    if (!(transitMs >= -CLOCK_TOLERANCE_MS && transitMs <= TRANSIT_MAX_MS))
      yield {
        rule: 'sent-at',
        expected: `about ${iso(atMs + clockOffsetMs)}`,
        found: `request ${number}: ${delivery.sentAt}`,
      };
    for (const { messageId } of delivery.events) {
      const before = latest.get(messageId);
      latest.set(messageId, { sentAtMs, number });
      if (before === undefined || sentAtMs > before.sentAtMs) continue;
      yield {
        rule: 'sent-at',
        expected: `a later sentAt than in request ${before.number}`,
        found: `request ${number} has sentAt ${delivery.sentAt}, which is not later`,
      };
      break;
    }
  }
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
