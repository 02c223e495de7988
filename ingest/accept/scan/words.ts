// The words that the scanner recognizes. The head of a text is its first eight bytes as a
// little-endian number, padded with zeros, so the first character is the lowest byte.

import { byteAt } from './byte-at.ts';
import { decode } from './escapes.ts';
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
import { PLAIN_TEXT_AT } from './layout.ts';

export const UNKNOWN = -1;

export const BATCH_MEMBER = 0;
export const WRITE_KEY_MEMBER = 1;
export const SENT_AT_MEMBER = 2;
export const CONTEXT_MEMBER = 3;

export const TRACK_TYPE = 0;
export const IDENTIFY_TYPE = 1;
export const OTHER_TYPE = 2;

/** The event field with the name at `start`; names may contain escapes. */
export function fieldNamed(start: i32, end: i32, isEscaped: bool): i32 {
  if (isEscaped) return plainField(PLAIN_TEXT_AT, decode(start, end, PLAIN_TEXT_AT));
  return plainField(start, end);
}

/** The batch member with that name. */
export function memberNamed(start: i32, end: i32, isEscaped: bool): i32 {
  if (isEscaped) return plainMember(PLAIN_TEXT_AT, decode(start, end, PLAIN_TEXT_AT));
  return plainMember(start, end);
}

export function typeNamed(start: i32, end: i32, isEscaped: bool): i32 {
  if (isEscaped) return plainType(PLAIN_TEXT_AT, decode(start, end, PLAIN_TEXT_AT));
  return plainType(start, end);
}

const TYPE_HEAD: u64 = 0x65707974;
const EVENT_HEAD: u64 = 0x746e657665;
const NAME_HEAD: u64 = 0x656d616e;
const MESSAGE_ID_HEAD: u64 = 0x496567617373656d;
const TIMESTAMP_HEAD: u64 = 0x6d617473656d6974;
const ANONYMOUS_ID_HEAD: u64 = 0x756f6d796e6f6e61;
const USER_ID_HEAD: u64 = 0x644972657375;
const SESSION_ID_HEAD: u64 = 0x496e6f6973736573;
const PROPERTIES_HEAD: u64 = 0x69747265706f7270;
const TRAITS_HEAD: u64 = 0x737469617274;
const CONTEXT_HEAD: u64 = 0x747865746e6f63;

function plainField(start: i32, end: i32): i32 {
  const length = end - start;
  const head = headOf(start, length);
  if (length === 9) {
    const last = byteAt(start + 8);
    if (head === MESSAGE_ID_HEAD && last === 0x64) return MESSAGE_ID;
    if (head === TIMESTAMP_HEAD && last === 0x70) return TIMESTAMP;
    return head === SESSION_ID_HEAD && last === 0x64 ? SESSION_ID : UNKNOWN;
  }
  if (length === 4) return head === TYPE_HEAD ? TYPE : head === NAME_HEAD ? NAME : UNKNOWN;
  if (length === 6)
    return head === USER_ID_HEAD ? USER_ID : head === TRAITS_HEAD ? TRAITS : UNKNOWN;
  if (length === 11) {
    const isIt = head === ANONYMOUS_ID_HEAD && load<u32>(start + 7) === 0x64497375;
    return isIt ? ANONYMOUS_ID : UNKNOWN;
  }
  if (length === 10) {
    const isIt = head === PROPERTIES_HEAD && load<u16>(start + 8) === 0x7365;
    return isIt ? PROPERTIES : UNKNOWN;
  }
  if (length === 7) return head === CONTEXT_HEAD ? CONTEXT : UNKNOWN;
  return length === 5 && head === EVENT_HEAD ? EVENT : UNKNOWN;
}

const BATCH_HEAD: u64 = 0x6863746162;
const WRITE_KEY_HEAD: u64 = 0x79654b6574697277;
const SENT_AT_HEAD: u64 = 0x7441746e6573;

function plainMember(start: i32, end: i32): i32 {
  const length = end - start;
  const head = headOf(start, length);
  if (head === BATCH_HEAD && length === 5) return BATCH_MEMBER;
  if (head === WRITE_KEY_HEAD && length === 8) return WRITE_KEY_MEMBER;
  if (head === SENT_AT_HEAD && length === 6) return SENT_AT_MEMBER;
  return head === CONTEXT_HEAD && length === 7 ? CONTEXT_MEMBER : UNKNOWN;
}

const TRACK_HEAD: u64 = 0x6b63617274;
const IDENTIFY_HEAD: u64 = 0x796669746e656469;
const PAGE_HEAD: u64 = 0x65676170;
const SCREEN_HEAD: u64 = 0x6e6565726373;
const GROUP_HEAD: u64 = 0x70756f7267;
const ALIAS_HEAD: u64 = 0x7361696c61;

function plainType(start: i32, end: i32): i32 {
  const length = end - start;
  const head = headOf(start, length);
  if (head === TRACK_HEAD && length === 5) return TRACK_TYPE;
  if (head === IDENTIFY_HEAD && length === 8) return IDENTIFY_TYPE;
  if (head === PAGE_HEAD && length === 4) return OTHER_TYPE;
  if (head === SCREEN_HEAD && length === 6) return OTHER_TYPE;
  if (head === GROUP_HEAD && length === 5) return OTHER_TYPE;
  return head === ALIAS_HEAD && length === 5 ? OTHER_TYPE : UNKNOWN;
}

function headOf(start: i32, length: i32): u64 {
  const bytes = load<u64>(start);
  return length >= 8 ? bytes : bytes & (((<u64>1) << (length * 8)) - 1);
}
