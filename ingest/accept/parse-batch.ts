// First step of accepting a batch: reads the body once, strictly, into offsets. It does not
// authenticate the sender. Problems of single events are recorded per event, and problems of the
// envelope for `checkEnvelope`. Unknown members are kept (`extra`). Of duplicate keys the last one
// counts, as in JSON.parse, but a problem with any of them rejects the event.

import { isUtf8 } from 'node:buffer';
import { type Problem, problem } from '../../schema/values/problem.ts';
import { ENVELOPE_BYTES_MAX } from '../limits.ts';
import { BatchEvents } from './batch-events.ts';
import { bodyScanner, MalformedJson } from './body-scanner.ts';
import { decodedText } from './decoded-text.ts';
import { limitProblem } from './limit-problem.ts';
import {
  BATCH_CONTEXT,
  BATCH_EXTRAS,
  BATCH_EXTRAS_AT,
  CONTEXT_PROBLEM,
  EMPTY,
  EVENT_COUNT,
  EVENT_EXTRAS,
  EVENT_EXTRAS_AT,
  IDENTIFIES,
  OTHER_VALUE,
  RECORDS,
  SENT_AT,
  UNUSUAL_TIMES,
  WRITE_KEY,
} from './scan/layout.ts';
import { NOTHING, WRONG_TYPE } from './scan/problems.ts';

/** Offsets into the body of the text of a JSON value. */
type Span = { readonly start: number; readonly end: number };

export type ParsedBatch = {
  readonly bytes: Buffer;
  /** Undefined if absent, null or not a string. */
  readonly writeKey: string | undefined;
  readonly sentAt: string | undefined;
  readonly context: Span | undefined;
  /**
   * Members that the spec does not define, each from its key to the end of its value: pairs of
   * offsets.
   */
  readonly extra: Int32Array;
  readonly events: BatchEvents;
  /**
   * The number of elements of `batch`, including those beyond the limit; -1 if it is not an array.
   */
  readonly eventCount: number;
  /** Whether at least one accepted event is of type identify. */
  readonly hasIdentifies: boolean;
  readonly contextProblem: Problem | undefined;
};

/** The offsets of the batch, or the problem if the body is not a JSON object. */
export function parseBatch(bytes: Buffer): ParsedBatch | Problem {
  if (!isUtf8(bytes)) return problem('MALFORMED_JSON', 'The body is not valid UTF-8.');
  try {
    const found = bodyScanner.scanBatch(bytes);
    if (found === EMPTY) return problem('MALFORMED_JSON', 'The body is empty.');
    return found === OTHER_VALUE ? problem('INVALID_BODY') : scannedBatch(bytes);
  } catch (error) {
    if (error instanceof MalformedJson) return problem('MALFORMED_JSON', error.message);
    throw error;
  }
}

/** Releases the batch. Its events must not be read afterwards. */
export function giveBackBatch({ events }: ParsedBatch): void {
  bodyScanner.giveBack(events);
}

function scannedBatch(bytes: Buffer): ParsedBatch {
  const envelope = bodyScanner.envelope();
  const context = spanAt(envelope, BATCH_CONTEXT);
  const extra = bodyScanner.pairs(BATCH_EXTRAS_AT, envelope[BATCH_EXTRAS]!);
  return {
    bytes,
    writeKey: textAt(envelope, WRITE_KEY, bytes),
    sentAt: textAt(envelope, SENT_AT, bytes),
    context,
    extra,
    events: scannedEvents(bytes, envelope),
    eventCount: envelope[EVENT_COUNT]!,
    hasIdentifies: envelope[IDENTIFIES]! > 0,
    contextProblem: contextProblem(envelope[CONTEXT_PROBLEM]!) ?? sizeProblem(context, extra),
  };
}

function scannedEvents(bytes: Buffer, envelope: Int32Array): BatchEvents {
  const count = envelope[RECORDS]!;
  const records = bodyScanner.records(count);
  const extras = bodyScanner.pairs(EVENT_EXTRAS_AT, envelope[EVENT_EXTRAS]!);
  const events = new BatchEvents(bytes, count, records, extras);
  if (envelope[UNUSUAL_TIMES]! > 0) events.readUnusualTimes();
  else bodyScanner.holds(events);
  return events;
}

function spanAt(words: Int32Array, index: number): Span | undefined {
  const start = words[index]!;
  return start === 0 ? undefined : { start, end: words[index + 1]! };
}

function textAt(words: Int32Array, index: number, bytes: Buffer): string | undefined {
  const span = spanAt(words, index);
  return span === undefined ? undefined : decodedText(bytes, span.start, span.end);
}

function contextProblem(found: number): Problem | undefined {
  if (found === NOTHING) return undefined;
  if (found === WRONG_TYPE) return problem('INVALID_CONTEXT');
  return problem('INVALID_CONTEXT', limitProblem(found, 'context').message);
}

function sizeProblem(context: Span | undefined, extra: Int32Array): Problem | undefined {
  let size = context === undefined ? 0 : context.end - context.start;
  for (let i = 0; i < extra.length; i += 2) size += extra[i + 1]! - extra[i]!;
  if (size <= ENVELOPE_BYTES_MAX) return undefined;
  const message = `context and the unknown members of the batch together exceed ${ENVELOPE_BYTES_MAX} bytes.`;
  return problem('INVALID_CONTEXT', message);
}
