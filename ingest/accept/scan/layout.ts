// Where things lie in the module's memory, in bytes; shared by the module and by the TypeScript
// that drives it. Everything has its largest size from the start, so memory never grows.

import { BATCH_EVENTS_MAX, BODY_BYTES_MAX, ENVELOPE_BYTES_MAX } from '../../limits.ts';

/** Memory is read and written 16 bytes at a time, so up to this far beyond what is meant. */
export const PADDING = 64;

/** The body lies at address 0, so that an offset into it is an address. Zeros follow it. */
export const ENVELOPE_AT = BODY_BYTES_MAX + PADDING;

/** What a body may be that is no object: nothing but white space, or another value. */
export const EMPTY = -1;
export const OTHER_VALUE = -2;

/** What the envelope of a batch says, in words of 32 bits. Texts are a start and an end, or 0, 0. */
export const WRITE_KEY = 0;
export const SENT_AT = 2;
export const BATCH_CONTEXT = 4;
export const CONTEXT_PROBLEM = 6;
/** Everything in `batch`, also beyond the events that are read; -1 when it is no array. */
export const EVENT_COUNT = 7;
/** How many events have a record. */
export const RECORDS = 8;
export const EVENT_EXTRAS = 9;
export const BATCH_EXTRAS = 10;
/** How many events were refused, are of the type identify, have a time that is not canonical. */
export const REFUSED = 11;
export const IDENTIFIES = 12;
export const UNUSUAL_TIMES = 13;
export const ENVELOPE_WORDS = 16;

/** A record an event: start and end of each field (0, 0 when absent), then the words below. */
export const RECORDS_AT = ENVELOPE_AT + ENVELOPE_WORDS * 4;
export const RECORD_WORDS = 36;
/** Start and end of the event's whole text. */
export const EVENT_TEXT = 22;
/** Where its unknown members begin among the pairs at EVENT_EXTRAS_AT, and how many they are. */
export const EXTRAS_FIRST = 24;
export const EXTRAS_COUNT = 25;
/** What is wrong with it first: a number of problems.ts, and the field shifted by 8 bits; or 0. */
export const EVENT_PROBLEM = 26;
export const EVENT_FLAGS = 27;
/** A double: milliseconds since 1970. */
export const TIMESTAMP_MS = 28;
/** 128 bits of hash of the message id. */
export const MESSAGE_ID_PRINT = 30;
export const RECORD_BYTES = RECORD_WORDS * 4;

/** Bits 0 to 7 of the flags: the string field of that number has escapes. */
export const HAS_UNUSUAL_TIME = 1 << 8;
export const KEEPS_TIME_TEXT = 1 << 9;
export const IS_IDENTIFY = 1 << 10;

/** Unknown members: pairs of offsets, key to end of value. The shortest is `"":0,`. */
const MEMBER_BYTES_MIN = 5;
export const MEMBERS_MAX = (BODY_BYTES_MAX / MEMBER_BYTES_MIN) | 0;
export const EVENT_EXTRAS_AT = RECORDS_AT + BATCH_EVENTS_MAX * RECORD_BYTES;
export const BATCH_EXTRAS_AT = EVENT_EXTRAS_AT + MEMBERS_MAX * 8;

/** Members of a single object: key, end of key, value, end of value, problem. */
export const MEMBER_WORDS = 5;
export const MEMBERS_AT = BATCH_EXTRAS_AT + MEMBERS_MAX * 8;

/** What each open container is, a byte a level. */
export const CONTAINERS_AT = MEMBERS_AT + MEMBERS_MAX * MEMBER_WORDS * 4;

/** A text without its escapes, for comparing and hashing. */
export const PLAIN_TEXT_AT = CONTAINERS_AT + BODY_BYTES_MAX + PADDING;

/** What the rows of a batch share, ready to be copied: before, amid and behind the event's own. */
export const ROW_HEAD_AT = PLAIN_TEXT_AT + BODY_BYTES_MAX + PADDING;
export const ROW_HEAD_BYTES = 48;
export const ROW_MIDDLE_AT = ROW_HEAD_AT + ROW_HEAD_BYTES;
export const ROW_MIDDLE_BYTES_MAX = 256;
export const ROW_TAIL_AT = ROW_MIDDLE_AT + ROW_MIDDLE_BYTES_MAX;
/** A comma comes to each unknown member, of which the shortest has more bytes than that. */
export const ROW_TAIL_BYTES_MAX = ENVELOPE_BYTES_MAX * 2;
/** The numbers of the events to encode, in words. */
export const CHOSEN_AT = ROW_TAIL_AT + ROW_TAIL_BYTES_MAX + PADDING;

/** The encoded rows. */
export const ROWS_AT = CHOSEN_AT + BATCH_EVENTS_MAX * 4;
const ROW_OWN_BYTES_MAX = 512;
const ROWS_BYTES_MAX =
  BODY_BYTES_MAX +
  BATCH_EVENTS_MAX * (ROW_OWN_BYTES_MAX + ROW_MIDDLE_BYTES_MAX + ROW_TAIL_BYTES_MAX);
export const MEMORY_BYTES = ROWS_AT + ROWS_BYTES_MAX + PADDING;
