// Reads one element of `batch` into its record and notes its first problem, by the rules of the
// spec's table "Event record". A null counts as absent. Of duplicate keys the last one counts, as
// in JSON.parse, but a problem with any of them rejects the event.

import { STRING_CHARACTERS_MAX } from '../../limits.ts';
import { byteAt } from './byte-at.ts';
import { CLOSE_OBJECT, COMMA, LOWER_N, OPEN_OBJECT, QUOTE } from './characters.ts';
import { characterCount, decode, unstorable } from './escapes.ts';
import {
  ANONYMOUS_ID,
  EVENT,
  MESSAGE_ID,
  SESSION_ID,
  STRING_FIELDS,
  TIMESTAMP,
  TYPE,
} from './fields.ts';
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
  EVENT_EXTRAS_AT,
  EVENT_FLAGS,
  EVENT_PROBLEM,
  EVENT_TEXT,
  EXTRAS_COUNT,
  EXTRAS_FIRST,
  HAS_UNUSUAL_TIME,
  IS_IDENTIFY,
  MESSAGE_ID_PRINT,
  PLAIN_TEXT_AT,
  RECORD_BYTES,
  TIMESTAMP_MS,
} from './layout.ts';
import { print } from './print.ts';
import {
  MISSING,
  NOT_AN_OBJECT,
  NOTHING,
  STRING_TOO_LONG,
  UNKNOWN_TYPE,
  WRONG_TYPE,
} from './problems.ts';
import { canonicalTimestamp } from './timestamp.ts';
import { fieldNamed, IDENTIFY_TYPE, TRACK_TYPE, typeNamed, UNKNOWN } from './words.ts';

/** Returns the end of the event. Its unknown members are numbered from `firstExtra` on. */
export function readEvent(start: i32, record: i32, firstExtra: i32): i32 {
  clear(record);
  setWord(record, EXTRAS_FIRST, firstExtra);
  let end: i32;
  if (byteAt(start) === OPEN_OBJECT) {
    end = readMembers(start, record);
    check(record);
  } else {
    end = skipValue(start, false);
    refuse(record, NOT_AN_OBJECT, 0);
  }
  setWord(record, EVENT_TEXT, start);
  setWord(record, EVENT_TEXT + 1, end);
  return end;
}

function clear(record: i32): void {
  const end = record + RECORD_BYTES;
  for (let at = record; at < end; at += 16) v128.store(at, i64x2.splat(0));
}

function readMembers(start: i32, record: i32): i32 {
  let pos = skipSpace(start + 1);
  if (byteAt(pos) === CLOSE_OBJECT) return pos + 1;
  while (true) {
    pos = skipSpace(readMember(pos, record));
    const next = byteAt(pos);
    if (next === CLOSE_OBJECT) return pos + 1;
    if (next !== COMMA) malformed(pos);
    pos = skipSpace(pos + 1);
  }
}

function readMember(keyStart: i32, record: i32): i32 {
  if (byteAt(keyStart) !== QUOTE) malformed(keyStart);
  const keyEnd = closingQuote(keyStart + 1);
  const field = fieldNamed(keyStart + 1, keyEnd, hasEscapes);
  const start = behindColon(keyEnd);
  if (field === UNKNOWN) {
    const end = skipValue(start, false);
    addExtra(record, keyStart, end);
    return end;
  }
  const first = byteAt(start);
  if (field < STRING_FIELDS) {
    if (first === QUOTE) {
      const end = closingQuote(start + 1);
      setString(record, field, start + 1, end);
      return end + 1;
    }
    const end = skipValue(start, false);
    setSpan(record, field, 0, 0);
    if (first !== LOWER_N) refuse(record, WRONG_TYPE, field);
    return end;
  }
  const end = skipValue(start, true);
  if (first === OPEN_OBJECT) {
    setSpan(record, field, start, end);
    if (breach !== NOTHING) refuse(record, breach, field);
  } else {
    setSpan(record, field, 0, 0);
    if (first !== LOWER_N) refuse(record, WRONG_TYPE, field);
  }
  return end;
}

function setString(record: i32, field: i32, start: i32, end: i32): void {
  setSpan(record, field, start, end);
  const flags = word(record, EVENT_FLAGS);
  if (hasEscapes) {
    setWord(record, EVENT_FLAGS, flags | (1 << field));
    const reason = unstorable(start, end);
    if (reason !== NOTHING) refuse(record, reason, field);
  } else if (flags !== 0) setWord(record, EVENT_FLAGS, flags & ~(1 << field));
  if (end - start <= STRING_CHARACTERS_MAX) return;
  if (characterCount(start, end) > STRING_CHARACTERS_MAX) refuse(record, STRING_TOO_LONG, field);
}

function check(record: i32): void {
  if (word(record, EVENT_PROBLEM) === NOTHING) checkRequired(record);
  if (word(record, EVENT_PROBLEM) === NOTHING) checkType(record);
  if (word(record, EVENT_PROBLEM) === NOTHING) readTimestamp(record);
  if (word(record, EVENT_PROBLEM) === NOTHING) printMessageId(record);
}

/** The order decides which of several missing fields is reported. */
function checkRequired(record: i32): void {
  if (isMissing(record, TYPE)) refuse(record, MISSING, TYPE);
  else if (isMissing(record, MESSAGE_ID)) refuse(record, MISSING, MESSAGE_ID);
  else if (isMissing(record, TIMESTAMP)) refuse(record, MISSING, TIMESTAMP);
  else if (isMissing(record, ANONYMOUS_ID)) refuse(record, MISSING, ANONYMOUS_ID);
  else if (isMissing(record, SESSION_ID)) refuse(record, MISSING, SESSION_ID);
}

function checkType(record: i32): void {
  const type = typeNamed(fieldStart(record, TYPE), fieldEnd(record, TYPE), isEscaped(record, TYPE));
  if (type === UNKNOWN) refuse(record, UNKNOWN_TYPE, TYPE);
  else if (type === TRACK_TYPE) {
    if (isMissing(record, EVENT)) refuse(record, MISSING, EVENT);
  } else if (type === IDENTIFY_TYPE) addFlag(record, IS_IDENTIFY);
}

function readTimestamp(record: i32): void {
  const ms = canonicalTimestamp(fieldStart(record, TIMESTAMP), fieldEnd(record, TIMESTAMP));
  if (ms < 0) addFlag(record, HAS_UNUSUAL_TIME);
  else store<f64>(record + TIMESTAMP_MS * 4, ms);
}

function printMessageId(record: i32): void {
  const start = fieldStart(record, MESSAGE_ID);
  const end = fieldEnd(record, MESSAGE_ID);
  const to = record + MESSAGE_ID_PRINT * 4;
  if (isEscaped(record, MESSAGE_ID)) print(PLAIN_TEXT_AT, decode(start, end, PLAIN_TEXT_AT), to);
  else print(start, end, to);
}

/** Only the first problem of an event is reported. */
function refuse(record: i32, problem: i32, field: i32): void {
  if (word(record, EVENT_PROBLEM) === NOTHING)
    setWord(record, EVENT_PROBLEM, problem | (field << 8));
}

function addExtra(record: i32, start: i32, end: i32): void {
  const count = word(record, EXTRAS_COUNT);
  const at = EVENT_EXTRAS_AT + (word(record, EXTRAS_FIRST) + count) * 8;
  store<i32>(at, start);
  store<i32>(at, end, 4);
  setWord(record, EXTRAS_COUNT, count + 1);
}

function addFlag(record: i32, flag: i32): void {
  setWord(record, EVENT_FLAGS, word(record, EVENT_FLAGS) | flag);
}

function isMissing(record: i32, field: i32): bool {
  return fieldStart(record, field) === fieldEnd(record, field);
}

export function isEscaped(record: i32, field: i32): bool {
  return ((word(record, EVENT_FLAGS) >> field) & 1) !== 0;
}

export function fieldStart(record: i32, field: i32): i32 {
  return load<i32>(record + field * 8);
}

export function fieldEnd(record: i32, field: i32): i32 {
  return load<i32>(record + field * 8, 4);
}

function setSpan(record: i32, field: i32, start: i32, end: i32): void {
  store<i32>(record + field * 8, start);
  store<i32>(record + field * 8, end, 4);
}

export function word(record: i32, index: i32): i32 {
  return load<i32>(record + index * 4);
}

function setWord(record: i32, index: i32, value: i32): void {
  store<i32>(record + index * 4, value);
}
