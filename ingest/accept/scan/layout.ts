// The memory layout of the module, in bytes; shared by the module and by the TypeScript that calls
// it. Each area has its largest size from the start, so memory never grows.

import { BATCH_EVENTS_MAX, BODY_BYTES_MAX, ENVELOPE_BYTES_MAX } from '../../limits.ts';

/**
 * Memory is read and written 16 bytes at a time, so accesses may exceed an area by this many bytes.
 */
export const PADDING = 64;

/** The body is at address 0, so an offset into it is an address. Zeros follow it. */
export const ENVELOPE_AT = BODY_BYTES_MAX + PADDING;

/** Results for a body that is not an object: only whitespace, or another value. */
export const EMPTY = -1;
export const OTHER_VALUE = -2;

/** The envelope of a batch, in 32-bit words. A text has a start and an end, or 0, 0. */
export const WRITE_KEY = 0;
export const SENT_AT = 2;
export const BATCH_CONTEXT = 4;
export const CONTEXT_PROBLEM = 6;
/**
 * The number of elements of `batch`, including those beyond the limit; -1 if it is not an array.
 */
export const EVENT_COUNT = 7;
/** The number of events with a record. */
export const RECORDS = 8;
export const EVENT_EXTRAS = 9;
export const BATCH_EXTRAS = 10;
/** The numbers of accepted identify events and of events whose time is not canonical. */
export const IDENTIFIES = 11;
export const UNUSUAL_TIMES = 12;
export const ENVELOPE_WORDS = 16;

/** One record per event: start and end of each field (0, 0 if absent), then the words below. */
export const RECORDS_AT = ENVELOPE_AT + ENVELOPE_WORDS * 4;
export const RECORD_WORDS = 36;
/** Start and end of the whole text of the event. */
export const EVENT_TEXT = 22;
/** The first of its unknown members among the pairs at EVENT_EXTRAS_AT, and their number. */
export const EXTRAS_FIRST = 24;
export const EXTRAS_COUNT = 25;
/** The first problem: a number of problems.ts, and the field shifted by 8 bits; or 0. */
export const EVENT_PROBLEM = 26;
export const EVENT_FLAGS = 27;
/** A double: milliseconds since 1970. */
export const TIMESTAMP_MS = 28;
/** A 128-bit hash of the message id. */
export const MESSAGE_ID_PRINT = 30;
export const RECORD_BYTES = RECORD_WORDS * 4;

/** Bits 0 to 7 of the flags: whether the string field of that number has escapes. */
export const HAS_UNUSUAL_TIME = 1 << 8;
export const KEEPS_TIME_TEXT = 1 << 9;
export const IS_IDENTIFY = 1 << 10;

/**
 * Unknown members: pairs of offsets, from the key to the end of the value. The shortest is `"":0,`.
 */
const MEMBER_BYTES_MIN = 5;
export const MEMBERS_MAX = (BODY_BYTES_MAX / MEMBER_BYTES_MIN) | 0;
export const EVENT_EXTRAS_AT = RECORDS_AT + BATCH_EVENTS_MAX * RECORD_BYTES;
export const BATCH_EXTRAS_AT = EVENT_EXTRAS_AT + MEMBERS_MAX * 8;

/** Members of a single object: key, end of key, value, end of value, problem. */
export const MEMBER_WORDS = 5;
export const MEMBERS_AT = BATCH_EXTRAS_AT + MEMBERS_MAX * 8;

/** The kind of each open container, a byte per level. */
export const CONTAINERS_AT = MEMBERS_AT + MEMBERS_MAX * MEMBER_WORDS * 4;

/** A text with its escapes resolved, for comparing and hashing. */
export const PLAIN_TEXT_AT = CONTAINERS_AT + BODY_BYTES_MAX + PADDING;

/**
 * The columns shared by the rows of a batch, ready to be copied: before, between and after the
 * event's own columns.
 */
export const ROW_HEAD_AT = PLAIN_TEXT_AT + BODY_BYTES_MAX + PADDING;
export const ROW_HEAD_BYTES = 48;
export const ROW_MIDDLE_AT = ROW_HEAD_AT + ROW_HEAD_BYTES;
export const ROW_MIDDLE_BYTES_MAX = 256;
export const ROW_TAIL_AT = ROW_MIDDLE_AT + ROW_MIDDLE_BYTES_MAX;
/** Each unknown member needs a comma and has more bytes than that. */
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
