// Reads the body of /v1/batch: its members into the words of the envelope, its events into records.
// Of duplicate keys the last one counts, as in JSON.parse. Unknown members are kept.

import { BATCH_EVENTS_MAX } from '../../limits.ts';
import { byteAt } from './byte-at.ts';
import {
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COMMA,
  LOWER_N,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
} from './characters.ts';
import { readEvent, word } from './event.ts';
import {
  behindColon,
  breach,
  closingQuote,
  hasEscapes,
  malformed,
  skipSpace,
  skipValue,
} from './json.ts';
import {
  BATCH_CONTEXT,
  BATCH_EXTRAS,
  BATCH_EXTRAS_AT,
  CONTEXT_PROBLEM,
  ENVELOPE_AT,
  ENVELOPE_WORDS,
  EVENT_COUNT,
  EVENT_EXTRAS,
  EVENT_FLAGS,
  EVENT_PROBLEM,
  EXTRAS_COUNT,
  HAS_UNUSUAL_TIME,
  IDENTIFIES,
  IS_IDENTIFY,
  RECORD_BYTES,
  RECORDS,
  RECORDS_AT,
  SENT_AT,
  UNUSUAL_TIMES,
  WRITE_KEY,
} from './layout.ts';
import { NOTHING, WRONG_TYPE } from './problems.ts';
import {
  BATCH_MEMBER,
  CONTEXT_MEMBER,
  memberNamed,
  SENT_AT_MEMBER,
  WRITE_KEY_MEMBER,
} from './words.ts';

/** `start` is the opening brace; returns the end of the object. */
export function readBatch(start: i32): i32 {
  memory.fill(ENVELOPE_AT, 0, ENVELOPE_WORDS * 4);
  set(EVENT_COUNT, -1);
  let pos = skipSpace(start + 1);
  if (byteAt(pos) === CLOSE_OBJECT) return pos + 1;
  while (true) {
    pos = skipSpace(readMember(pos));
    const next = byteAt(pos);
    if (next === CLOSE_OBJECT) return pos + 1;
    if (next !== COMMA) malformed(pos);
    pos = skipSpace(pos + 1);
  }
}

function readMember(keyStart: i32): i32 {
  if (byteAt(keyStart) !== QUOTE) malformed(keyStart);
  const keyEnd = closingQuote(keyStart + 1);
  const member = memberNamed(keyStart + 1, keyEnd, hasEscapes);
  const start = behindColon(keyEnd);
  if (member === BATCH_MEMBER) return readEvents(start);
  if (member === WRITE_KEY_MEMBER) return readString(start, WRITE_KEY);
  if (member === SENT_AT_MEMBER) return readString(start, SENT_AT);
  if (member === CONTEXT_MEMBER) return readContext(start);
  const end = skipValue(start, false);
  const count = get(BATCH_EXTRAS);
  store<i32>(BATCH_EXTRAS_AT + count * 8, keyStart);
  store<i32>(BATCH_EXTRAS_AT + count * 8, end, 4);
  set(BATCH_EXTRAS, count + 1);
  return end;
}

/** A value that is not a string counts as absent. */
function readString(start: i32, index: i32): i32 {
  if (byteAt(start) !== QUOTE) {
    setSpan(index, 0, 0);
    return skipValue(start, false);
  }
  const end = closingQuote(start + 1);
  setSpan(index, start + 1, end);
  return end + 1;
}

function readContext(start: i32): i32 {
  const first = byteAt(start);
  const end = skipValue(start, true);
  const isObject = first === OPEN_OBJECT;
  setSpan(BATCH_CONTEXT, isObject ? start : 0, isObject ? end : 0);
  if (isObject) set(CONTEXT_PROBLEM, breach);
  else set(CONTEXT_PROBLEM, first === LOWER_N ? NOTHING : WRONG_TYPE);
  return end;
}

function readEvents(start: i32): i32 {
  clearEvents();
  if (byteAt(start) !== OPEN_ARRAY) {
    set(EVENT_COUNT, -1);
    return skipValue(start, false);
  }
  let pos = skipSpace(start + 1);
  if (byteAt(pos) === CLOSE_ARRAY) return pos + 1;
  let count = 0;
  while (true) {
    count++;
    pos = count <= BATCH_EVENTS_MAX ? readRecord(pos) : skipValue(pos, false);
    set(EVENT_COUNT, count);
    pos = skipSpace(pos);
    const next = byteAt(pos);
    if (next === CLOSE_ARRAY) return pos + 1;
    if (next !== COMMA) malformed(pos);
    pos = skipSpace(pos + 1);
  }
}

function clearEvents(): void {
  set(EVENT_COUNT, 0);
  set(RECORDS, 0);
  set(EVENT_EXTRAS, 0);
  set(IDENTIFIES, 0);
  set(UNUSUAL_TIMES, 0);
}

function readRecord(start: i32): i32 {
  const records = get(RECORDS);
  const record = RECORDS_AT + records * RECORD_BYTES;
  const end = readEvent(start, record, get(EVENT_EXTRAS));
  set(RECORDS, records + 1);
  add(EVENT_EXTRAS, word(record, EXTRAS_COUNT));
  const flags = word(record, EVENT_FLAGS);
  const isAccepted = word(record, EVENT_PROBLEM) === NOTHING;
  if (isAccepted && (flags & IS_IDENTIFY) !== 0) add(IDENTIFIES, 1);
  if ((flags & HAS_UNUSUAL_TIME) !== 0) add(UNUSUAL_TIMES, 1);
  return end;
}

function setSpan(index: i32, start: i32, end: i32): void {
  set(index, start);
  set(index + 1, end);
}

function add(index: i32, count: i32): void {
  set(index, get(index) + count);
}

function get(index: i32): i32 {
  return load<i32>(ENVELOPE_AT + index * 4);
}

function set(index: i32, value: i32): void {
  store<i32>(ENVELOPE_AT + index * 4, value);
}
