// Encodes events as rows of events_raw in RowBinary. The caller provides the columns shared by the
// rows of a batch; the columns in between come from the records and the body.

import { CLOSE_OBJECT, COMMA, OPEN_OBJECT } from './characters.ts';
import { decode } from './escapes.ts';
import { fieldEnd, fieldStart, isEscaped, word } from './event.ts';
import {
  ANONYMOUS_ID,
  CONTEXT,
  EVENT,
  MESSAGE_ID,
  NAME,
  PROPERTIES,
  SESSION_ID,
  TIMESTAMP,
  TRAITS,
  TYPE,
  USER_ID,
} from './fields.ts';
import {
  CHOSEN_AT,
  EVENT_EXTRAS_AT,
  EVENT_FLAGS,
  EXTRAS_COUNT,
  EXTRAS_FIRST,
  KEEPS_TIME_TEXT,
  PLAIN_TEXT_AT,
  RECORD_BYTES,
  RECORDS_AT,
  ROW_HEAD_AT,
  ROW_HEAD_BYTES,
  ROW_MIDDLE_AT,
  ROW_TAIL_AT,
  ROWS_AT,
  TIMESTAMP_MS,
} from './layout.ts';

/** Corrected times: the client's time plus `shiftMs`, limited to these bounds. */
let shiftMs: f64 = 0;
let earliestMs: f64 = 0;
let latestMs: f64 = 0;
let middleBytes: i32 = 0;
let tailBytes: i32 = 0;

/**
 * Sets the values shared by the next rows, in addition to the bytes at ROW_HEAD_AT and the other
 * shared areas.
 */
export function shareAmongRows(
  middle: i32,
  tail: i32,
  shift: f64,
  earliest: f64,
  latest: f64,
): void {
  middleBytes = middle;
  tailBytes = tail;
  shiftMs = shift;
  earliestMs = earliest;
  latestMs = latest;
}

/** Writes a row for each chosen event, numbered from `firstRow` on; returns their end. */
export function encodeRows(count: i32, firstRow: i32): i32 {
  let out = ROWS_AT;
  for (let i = 0; i < count; i++) {
    const event = load<i32>(CHOSEN_AT + i * 4);
    out = encodeRow(out, RECORDS_AT + event * RECORD_BYTES);
    store<i32>(out, firstRow + i);
    out += 4;
  }
  return out;
}

function encodeRow(start: i32, record: i32): i32 {
  let out = copy(ROW_HEAD_AT, ROW_HEAD_BYTES, start);
  out = text(out, record, TYPE);
  out = text(out, record, EVENT);
  out = text(out, record, NAME);
  out = text(out, record, MESSAGE_ID);
  const timestampMs = load<f64>(record + TIMESTAMP_MS * 4);
  out = instant(out, timestampMs);
  if ((word(record, EVENT_FLAGS) & KEEPS_TIME_TEXT) !== 0) out = text(out, record, TIMESTAMP);
  else store<u8>(out++, 0);
  out = copy(ROW_MIDDLE_AT, middleBytes, out);
  out = instant(out, min(max(timestampMs + shiftMs, earliestMs), latestMs));
  out = text(out, record, ANONYMOUS_ID);
  out = text(out, record, USER_ID);
  out = text(out, record, SESSION_ID);
  out = slice(out, fieldStart(record, PROPERTIES), fieldEnd(record, PROPERTIES));
  out = slice(out, fieldStart(record, TRAITS), fieldEnd(record, TRAITS));
  out = slice(out, fieldStart(record, CONTEXT), fieldEnd(record, CONTEXT));
  out = extra(out, record);
  return copy(ROW_TAIL_AT, tailBytes, out);
}

/** The value of a string field; empty if absent. */
function text(to: i32, record: i32, field: i32): i32 {
  const start = fieldStart(record, field);
  const end = fieldEnd(record, field);
  if (!isEscaped(record, field)) return slice(to, start, end);
  return slice(to, PLAIN_TEXT_AT, decode(start, end, PLAIN_TEXT_AT));
}

function slice(to: i32, start: i32, end: i32): i32 {
  const length = end - start;
  return copy(start, length, varUint(to, length));
}

/** The unknown members as a JSON object; empty if there are none. */
function extra(to: i32, record: i32): i32 {
  const count = word(record, EXTRAS_COUNT);
  if (count === 0) return varUint(to, 0);
  const first = EVENT_EXTRAS_AT + word(record, EXTRAS_FIRST) * 8;
  const end = first + count * 8;
  let size = 1 + count;
  for (let at = first; at < end; at += 8) size += load<i32>(at, 4) - load<i32>(at);
  let out = varUint(to, size);
  for (let at = first; at < end; at += 8) {
    store<u8>(out++, at === first ? OPEN_OBJECT : COMMA);
    out = copy(load<i32>(at), load<i32>(at, 4) - load<i32>(at), out);
  }
  store<u8>(out++, CLOSE_OBJECT);
  return out;
}

function instant(to: i32, ms: f64): i32 {
  store<i64>(to, <i64>ms);
  return to + 8;
}

function varUint(to: i32, value: i32): i32 {
  let out = to;
  let rest = value;
  while (rest >= 0x80) {
    store<u8>(out++, rest | 0x80);
    rest >>>= 7;
  }
  store<u8>(out++, rest);
  return out;
}

/** Copies 16 bytes at a time; excess bytes are overwritten by the next write. */
function copy(from: i32, length: i32, to: i32): i32 {
  for (let i = 0; i < length; i += 16) v128.store(to + i, v128.load(from + i));
  return to + length;
}
