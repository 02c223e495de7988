// First step of accepting a batch: the body is read once, strictly, into offsets. Nothing is
// decided here about who sent it; what is wrong with a single event is noted beside that event,
// what is wrong with the envelope is noted for whoever refuses the batch.
// Unknown members are kept (`extra`). Of duplicate keys the last one counts, as in JSON.parse, but
// what is wrong with any of them is wrong with the event.

import { isUtf8 } from 'node:buffer';
import { type Problem, problem } from '../../schema/values/problem.ts';
import { BATCH_EVENTS_MAX, ENVELOPE_BYTES_MAX } from '../limits.ts';
import { BatchEvents } from './batch-events.ts';
import { JsonScanner, MalformedJson } from './json-scanner.ts';
import { LIMIT_MESSAGES } from './limit-messages.ts';
import { parseEvent } from './parse-event.ts';
import { decodeString } from './string-value.ts';

const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const QUOTE = 0x22;

/** Offsets into the body; the text of a JSON value, or what stands between a string's quotes. */
export type Span = { readonly start: number; readonly end: number };

export type ParsedBatch = {
  readonly bytes: Buffer;
  /** Undefined when absent, null or no string. */
  writeKey: string | undefined;
  sentAt: string | undefined;
  context: Span | undefined;
  /** Members that the spec does not name, each from its key to its value's end: pairs of offsets. */
  readonly extra: number[];
  readonly events: BatchEvents;
  /** Everything in `batch`, also beyond the events that were read; -1 when it is no array. */
  eventCount: number;
  contextProblem: Problem | undefined;
};

/** The batch's offsets, or why the body is not a JSON object at all. */
export function parseBatch(bytes: Buffer): ParsedBatch | Problem {
  if (!isUtf8(bytes)) return problem('MALFORMED_JSON', 'The body is not valid UTF-8.');
  const scanner = new JsonScanner(bytes);
  try {
    if (scanner.peek() === -1) return problem('MALFORMED_JSON', 'The body is empty.');
    if (scanner.peek() !== OPEN_OBJECT) {
      scanner.value();
      scanner.expectEnd();
      return problem('INVALID_BODY');
    }
    const batch = emptyBatch(bytes);
    if (scanner.open(OPEN_OBJECT, CLOSE_OBJECT)) {
      do member(scanner, batch);
      while (scanner.another(CLOSE_OBJECT));
    }
    scanner.expectEnd();
    boundEnvelope(batch);
    return batch;
  } catch (error) {
    if (error instanceof MalformedJson) return problem('MALFORMED_JSON', error.message);
    throw error;
  }
}

function boundEnvelope(batch: ParsedBatch): void {
  let size = batch.context === undefined ? 0 : batch.context.end - batch.context.start;
  for (let i = 0; i < batch.extra.length; i += 2) size += batch.extra[i + 1]! - batch.extra[i]!;
  if (size <= ENVELOPE_BYTES_MAX) return;
  const message = `context and the unknown members of the batch are larger than ${ENVELOPE_BYTES_MAX} bytes together.`;
  batch.contextProblem ??= problem('INVALID_CONTEXT', message);
}

function emptyBatch(bytes: Buffer): ParsedBatch {
  return {
    bytes,
    writeKey: undefined,
    sentAt: undefined,
    context: undefined,
    extra: [],
    events: new BatchEvents(bytes),
    eventCount: -1,
    contextProblem: undefined,
  };
}

function member(scanner: JsonScanner, batch: ParsedBatch): void {
  scanner.peek();
  const start = scanner.pos;
  scanner.key();
  const key = decodeString(scanner);
  if (key === 'batch') events(scanner, batch);
  else if (key === 'writeKey') batch.writeKey = stringOrNothing(scanner);
  else if (key === 'sentAt') batch.sentAt = stringOrNothing(scanner);
  else if (key === 'context') context(scanner, batch);
  else {
    scanner.value();
    batch.extra.push(start, scanner.pos);
  }
}

function stringOrNothing(scanner: JsonScanner): string | undefined {
  if (scanner.peek() === QUOTE) {
    scanner.string();
    return decodeString(scanner);
  }
  scanner.value();
  return undefined;
}

function context(scanner: JsonScanner, batch: ParsedBatch): void {
  const first = scanner.peek();
  const start = scanner.pos;
  scanner.value(true);
  batch.context = undefined;
  batch.contextProblem = undefined;
  if (first === OPEN_OBJECT) batch.context = { start, end: scanner.pos };
  const isNull = first === 0x6e;
  if (first !== OPEN_OBJECT && !isNull) batch.contextProblem = problem('INVALID_CONTEXT');
  else if (scanner.breach !== undefined)
    batch.contextProblem = problem('INVALID_CONTEXT', LIMIT_MESSAGES[scanner.breach]('context'));
}

function events(scanner: JsonScanner, batch: ParsedBatch): void {
  batch.events.clear();
  batch.eventCount = -1;
  if (scanner.peek() !== OPEN_ARRAY) {
    scanner.value();
    return;
  }
  batch.eventCount = 0;
  if (!scanner.open(OPEN_ARRAY, CLOSE_ARRAY)) return;
  do {
    if (batch.eventCount < BATCH_EVENTS_MAX) parseEvent(scanner, batch.events);
    else scanner.value();
    batch.eventCount++;
  } while (scanner.another(CLOSE_ARRAY));
}
