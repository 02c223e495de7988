// The rules that hold in every scenario, judged from what the client sent.

import { isDeepStrictEqual } from 'node:util';
import { type Attempt, batchAttempts, type Ending, markOf, type Recording } from './record.ts';
import type { RuleId } from './rules.ts';
import type { StoredEvent } from './service.ts';
import type { Problem } from './stage.ts';

export type Evidence = {
  readonly record: Recording;
  /** What ClickHouse has of the workspace. */
  readonly stored: readonly StoredEvent[];
  readonly clockOffsetMs: number;
  readonly writeKey: string;
};

type Batch = ReturnType<typeof batchAttempts>[number];

export const GENERAL_RULES: readonly RuleId[] = [
  'envelope',
  'media-type',
  'encoding',
  'batch-events',
  'batch-bytes',
  'required-fields',
  'message-id-unique',
  'message-id-kept',
  'content-kept',
  'timestamp',
  'sent-at',
  'acknowledged',
  'retry-after',
  'no-hammering',
  'one-request-per-event',
  'once',
];

export function checkGenerally(evidence: Evidence): readonly Problem[] {
  const batches = batchAttempts(evidence.record);
  return [
    ...batches.flatMap(batch => [...bodyProblems(batch, evidence)]),
    ...idProblems(batches),
    ...timestampProblems(batches, evidence),
    ...sentAtProblems(batches, evidence),
    ...resentProblems(batches, isStored, 'acknowledged', 'a 200'),
    ...waitProblems(batches),
    ...hammeringProblems(batches),
    ...overlapProblems(batches),
    ...copyProblems(evidence),
  ];
}

const ENVELOPE_RULES: { readonly [code: string]: RuleId } = {
  TOO_MANY_EVENTS: 'batch-events',
  PAYLOAD_TOO_LARGE: 'batch-bytes',
  MALFORMED_ENCODING: 'encoding',
  UNSUPPORTED_ENCODING: 'encoding',
};
/** Ingest also accepts text/plain, which browsers send without a preflight request. */
const MEDIA_TYPES = ['application/json', 'text/plain'];

function* bodyProblems(batch: Batch, { writeKey }: Evidence): Generator<Problem> {
  const { delivery, headers, number } = batch;
  const { problem, rejected, events } = delivery;
  const mediaType = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (!MEDIA_TYPES.includes(mediaType ?? ''))
    yield {
      rule: 'media-type',
      expected: 'Content-Type: application/json',
      found: `request ${number} has ${mediaType ?? 'none'}`,
    };
  // A client may find out by the 413 that one event is too large.
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

function* idProblems(batches: readonly Batch[]): Generator<Problem> {
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
          expected: 'an ID per call',
          found: `messageId ${messageId} is that of two calls`,
        };
      else if (!isDeepStrictEqual(known.event, event))
        yield {
          rule: 'content-kept',
          expected: `as in request ${known.batch.number}: ${JSON.stringify(known.event).slice(0, 400)}`,
          found: `request ${batch.number}: ${JSON.stringify(event).slice(0, 400)}`,
        };
      if (mark === undefined) continue;
      const earlier = idOfMark.get(mark) ?? messageId;
      idOfMark.set(mark, earlier);
      if (earlier !== messageId)
        yield {
          rule: 'message-id-kept',
          expected: `messageId ${earlier} on each attempt`,
          found: `request ${batch.number} has ${messageId} for the same call`,
        };
    }
}

/** Clocks show milliseconds, and a line may be read before the kit notes that it wrote it. */
const CLOCK_TOLERANCE_MS = 50;

function* timestampProblems(
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

/** Between writing sentAt and the arrival, on one machine, even if it is busy. */
const TRANSIT_MAX_MS = 5_000;

function* sentAtProblems(
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
        expected: `later than in request ${before.number}`,
        found: `request ${number} has the same sentAt, ${delivery.sentAt}`,
      };
      break;
    }
  }
}

/** A request that was on its way when the answer was. */
const IN_FLIGHT_MS = 50;

/** No event of a batch with such an ending is sent again. */
export function* resentProblems(
  batches: readonly Batch[],
  isFinal: (ending: Ending | undefined) => boolean,
  rule: RuleId,
  after: string,
): Generator<Problem> {
  const finalAt = new Map<string, { atMs: number; number: number }>();
  for (const { atMs, number, delivery, ending } of batches) {
    for (const { messageId } of delivery.events) {
      const end = finalAt.get(messageId);
      if (end === undefined || atMs < end.atMs + IN_FLIGHT_MS) continue;
      yield {
        rule,
        expected: `request ${end.number} was the last one with messageId ${messageId}, after ${after}`,
        found: `request ${number}, ${atMs - end.atMs} ms later, has it again`,
      };
      break;
    }
    if (isFinal(ending))
      for (const { messageId } of delivery.events)
        finalAt.set(messageId, { atMs: ending!.atMs, number });
  }
}

export function isStored(ending: Ending | undefined): boolean {
  return ending?.kind === 'answered' && ending.status === 200 && ending.body.startsWith('{"status');
}

export function hasStatus(...statuses: readonly number[]) {
  return (ending: Ending | undefined): boolean =>
    ending?.kind === 'answered' && statuses.includes(ending.status);
}

function* waitProblems(batches: readonly Batch[]): Generator<Problem> {
  for (const { ending, number } of batches) {
    if (ending?.kind !== 'answered' || ending.retryAfterSeconds === undefined) continue;
    const untilMs = ending.atMs + ending.retryAfterSeconds * 1000;
    const early = batches.find(
      ({ atMs }) => atMs > ending.atMs + IN_FLIGHT_MS && atMs < untilMs - CLOCK_TOLERANCE_MS,
    );
    if (early !== undefined)
      yield {
        rule: 'retry-after',
        expected: `no request for ${ending.retryAfterSeconds} s after the answer to request ${number}`,
        found: `request ${early.number} came after ${early.atMs - ending.atMs} ms`,
      };
  }
}

const HAMMERING = { attempts: 10, windowMs: 10_000 } as const;

function* hammeringProblems(batches: readonly Batch[]): Generator<Problem> {
  const times = new Map<string, number[]>();
  for (const { atMs, delivery } of batches)
    for (const { messageId } of delivery.events)
      times.set(messageId, [...(times.get(messageId) ?? []), atMs]);
  for (const [messageId, at] of times)
    for (const [index, fromMs] of at.entries()) {
      const later = at[index + HAMMERING.attempts];
      if (later === undefined || later - fromMs > HAMMERING.windowMs) continue;
      yield {
        rule: 'no-hammering',
        expected: `at most ${HAMMERING.attempts} attempts in ${HAMMERING.windowMs / 1000} s`,
        found: `messageId ${messageId} was sent ${HAMMERING.attempts + 1} times in ${later - fromMs} ms`,
      };
      return;
    }
}

function* overlapProblems(batches: readonly Batch[]): Generator<Problem> {
  const open = new Map<string, Attempt>();
  for (const batch of batches)
    for (const { messageId } of batch.delivery.events) {
      const before = open.get(messageId);
      open.set(messageId, batch);
      if (before === undefined || (before.ending?.atMs ?? Infinity) <= batch.atMs) continue;
      yield {
        rule: 'one-request-per-event',
        expected: `request ${before.number} ends before its events are sent again`,
        found: `request ${batch.number} has messageId ${messageId} while it was under way`,
      };
      break;
    }
}

function* copyProblems({ record, stored }: Evidence): Generator<Problem> {
  const copies = new Map<string, string[]>();
  for (const row of stored) {
    const mark = markOf(rowAsEvent(row));
    if (mark !== undefined) copies.set(mark, [...(copies.get(mark) ?? []), row.message_id]);
  }
  for (const { mark, line, fate } of record.calls) {
    const ids = copies.get(mark) ?? [];
    if (ids.length > 1)
      yield {
        rule: 'once',
        expected: `one row in ClickHouse for ${JSON.stringify(line).slice(0, 200)}`,
        found: `${ids.length}, with the messageIds ${ids.join(', ')}`,
      };
    if (fate === 'dropped' && ids.length > 0)
      yield {
        rule: 'once',
        expected: `no row in ClickHouse for ${JSON.stringify(line).slice(0, 200)}`,
        found: `${ids.length}`,
      };
  }
}

export function rowAsEvent(row: StoredEvent): Readonly<{ [field: string]: unknown }> {
  const parse = (text: string) => (text === '' ? {} : (JSON.parse(text) as object));
  const { properties, traits, extra, ...others } = row;
  return {
    ...others,
    ...parse(extra),
    properties: parse(properties),
    traits: parse(traits),
  };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
