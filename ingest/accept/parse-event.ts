// Reads one element of `batch` into offsets and notes what is wrong with it. Rules are those of
// the spec's table "Event record"; a null counts as absent.

import { parseCanonicalInstant, parseInstant } from '../../schema/values/instant.ts';
import { problem } from '../../schema/values/problem.ts';
import { STRING_CHARACTERS_MAX } from '../limits.ts';
import {
  ANONYMOUS_ID,
  type BatchEvents,
  EVENT,
  FIELD_NAMES,
  MESSAGE_ID,
  SESSION_ID,
  STRING_FIELDS,
  TIMESTAMP,
  TYPE,
} from './batch-events.ts';
import { fieldOfKey } from './field-of-key.ts';
import type { JsonScanner } from './json-scanner.ts';
import { LIMIT_MESSAGES } from './limit-messages.ts';
import { decodedCharacters } from './string-size.ts';
import { decodeString, unstorable } from './string-value.ts';

const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const QUOTE = 0x22;
const LETTER_N = 0x6e;

const EVENT_TYPES = ['track', 'identify', 'page', 'screen', 'group', 'alias'].map(type =>
  Buffer.from(type),
);
const TRACK = EVENT_TYPES[0]!;
const IDENTIFY = EVENT_TYPES[1]!;
const REQUIRED = [TYPE, MESSAGE_ID, TIMESTAMP, ANONYMOUS_ID, SESSION_ID];

export function parseEvent(scanner: JsonScanner, events: BatchEvents): void {
  const first = scanner.peek();
  const event = events.begin(scanner.pos);
  if (first !== OPEN_OBJECT) {
    scanner.value();
    events.refuse(event, problem('INVALID_EVENT'));
  } else {
    if (scanner.open(OPEN_OBJECT, CLOSE_OBJECT)) {
      do member(scanner, events, event);
      while (scanner.another(CLOSE_OBJECT));
    }
    checkRequired(events, event);
    checkTimestamp(events, event);
  }
  events.finish(event, scanner.pos);
}

function member(scanner: JsonScanner, events: BatchEvents, event: number): void {
  scanner.peek();
  const keyStart = scanner.pos;
  scanner.key();
  const field = fieldOfKey(scanner);
  const first = scanner.peek();
  const start = scanner.pos;
  if (field === undefined) {
    scanner.value();
    events.addExtra(event, keyStart, scanner.pos);
  } else if (field < STRING_FIELDS && first === QUOTE) {
    scanner.string();
    events.setSpan(event, field, scanner.stringStart, scanner.stringEnd);
    checkString(scanner, events, event, field);
  } else {
    scanner.value(field >= STRING_FIELDS);
    if (field >= STRING_FIELDS && first === OPEN_OBJECT) {
      events.setSpan(event, field, start, scanner.pos);
      checkLimits(scanner, events, event, field);
    } else {
      events.setAbsent(event, field);
      if (first !== LETTER_N) events.refuse(event, wrongType(field));
    }
  }
}

function wrongType(field: number) {
  const expected = field < STRING_FIELDS ? 'a string' : 'an object';
  return problem('INVALID_FIELD', `${FIELD_NAMES[field]} must be ${expected}.`);
}

function checkLimits(
  scanner: JsonScanner,
  events: BatchEvents,
  event: number,
  field: number,
): void {
  const { breach } = scanner;
  if (breach === undefined) return;
  events.refuse(event, problem(breach, LIMIT_MESSAGES[breach](FIELD_NAMES[field]!)));
}

function checkString(
  scanner: JsonScanner,
  events: BatchEvents,
  event: number,
  field: number,
): void {
  const { bytes, stringStart, stringEnd, hasEscapes } = scanner;
  const name = FIELD_NAMES[field]!;
  if (hasEscapes) {
    const value = decodeString(scanner);
    events.setDecoded(event, field, value);
    const reason = unstorable(value);
    if (reason !== undefined)
      events.refuse(event, problem('INVALID_STRING', `${name} has ${reason}.`));
  }
  if (stringEnd - stringStart <= STRING_CHARACTERS_MAX) return;
  if (decodedCharacters(bytes, stringStart, stringEnd) <= STRING_CHARACTERS_MAX) return;
  const message = `${name} is longer than ${STRING_CHARACTERS_MAX} characters.`;
  events.refuse(event, problem('FIELD_TOO_LONG', message));
}

function checkRequired(events: BatchEvents, event: number): void {
  for (const field of REQUIRED) {
    if (isMissing(events, event, field))
      events.refuse(event, problem('MISSING_FIELD', `${FIELD_NAMES[field]} is missing or empty.`));
  }
  if (events.problem(event) !== undefined) return;
  const type = EVENT_TYPES.find(known => isText(events, event, TYPE, known));
  if (type === undefined) events.refuse(event, problem('UNKNOWN_EVENT_TYPE'));
  else if (type === TRACK && isMissing(events, event, EVENT))
    events.refuse(event, problem('MISSING_FIELD', 'event is missing or empty; track needs it.'));
  else if (type === IDENTIFY) events.identifies.push(event);
}

function isMissing(events: BatchEvents, event: number, field: number): boolean {
  return events.start(event, field) === events.end(event, field);
}

function isText(events: BatchEvents, event: number, field: number, expected: Buffer): boolean {
  const decoded = events.decodedText(event, field);
  if (decoded !== undefined) return decoded === expected.toString();
  const start = events.start(event, field);
  if (events.end(event, field) - start !== expected.length) return false;
  for (let i = 0; i < expected.length; i++)
    if (events.bytes[start + i] !== expected[i]) return false;
  return true;
}

function checkTimestamp(events: BatchEvents, event: number): void {
  if (events.problem(event) !== undefined) return;
  const start = events.start(event, TIMESTAMP);
  const end = events.end(event, TIMESTAMP);
  const ms = parseCanonicalInstant(events.bytes, start, end);
  if (!Number.isNaN(ms)) {
    events.timestampsMs[event] = ms;
    return;
  }
  const text = events.text(event, TIMESTAMP)!;
  const instant = parseInstant(text);
  if (instant === undefined) {
    events.refuse(event, problem('INVALID_TIMESTAMP'));
    return;
  }
  events.timestampsMs[event] = instant.ms;
  events.timestampTexts[event] = instant.isCanonical ? '' : text;
}
