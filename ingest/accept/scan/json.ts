// Reads JSON strictly (RFC 8259) without creating objects; strings 16 bytes at a time. It never
// recurses: nesting costs a byte per level. The caller has verified that the bytes are valid UTF-8.
// They are followed by NULs, which are not valid JSON, so the end of the text needs no separate
// check.

import { KEY_CHARACTERS_MAX, NESTING_LEVELS_MAX, VALUE_BYTES_MAX } from '../../limits.ts';
import { byteAt } from './byte-at.ts';
import {
  BACKSLASH,
  CARRIAGE_RETURN,
  COLON,
  COMMA,
  LINE_FEED,
  LOWER_E,
  LOWER_F,
  LOWER_N,
  LOWER_T,
  LOWER_U,
  MINUS,
  OPEN_ARRAY,
  OPEN_OBJECT,
  PLUS,
  POINT,
  QUOTE,
  SPACE,
  TAB,
  ZERO,
} from './characters.ts';
import { characterCount, decodedBytes } from './escapes.ts';
import { CONTAINERS_AT } from './layout.ts';
import { KEY_TOO_LONG, NESTING_TOO_DEEP, NOTHING, VALUE_TOO_LARGE } from './problems.ts';

/** Leaves the module by an exception: the text is not valid JSON at this offset. */
export declare function malformed(offset: i32): void;

/** The result of the last string read. */
export let hasEscapes: bool = false;
/** The first limit violated by the last value walked, or 0. */
export let breach: i32 = NOTHING;

/** Skips whitespace, of which compact JSON has none. */
export function skipSpace(pos: i32): i32 {
  return byteAt(pos) > SPACE ? pos : skipMoreSpace(pos);
}

function skipMoreSpace(from: i32): i32 {
  let pos = from;
  while (true) {
    const byte = byteAt(pos);
    if (byte !== SPACE && byte !== LINE_FEED && byte !== CARRIAGE_RETURN && byte !== TAB)
      return pos;
    pos++;
  }
}

/** `start` is after the opening quote; returns the position of the closing one. */
export function closingQuote(start: i32): i32 {
  hasEscapes = false;
  let pos = start;
  while (true) {
    const bytes = v128.load(pos);
    const marks = i8x16.bitmask(
      v128.or(
        v128.or(
          i8x16.eq(bytes, i8x16.splat(<i8>QUOTE)),
          i8x16.eq(bytes, i8x16.splat(<i8>BACKSLASH)),
        ),
        i8x16.le_u(bytes, i8x16.splat(<i8>(SPACE - 1))),
      ),
    );
    if (marks === 0) {
      pos += 16;
      continue;
    }
    pos += ctz(marks);
    const byte = byteAt(pos);
    if (byte === QUOTE) return pos;
    if (byte !== BACKSLASH) malformed(pos);
    hasEscapes = true;
    pos = skipEscape(pos);
  }
}

/** Reads a key and its colon; returns the start of the value. */
export function behindColon(keyEnd: i32): i32 {
  const pos = skipSpace(keyEnd + 1);
  if (byteAt(pos) !== COLON) malformed(pos);
  return skipSpace(pos + 1);
}

/**
 * Reads the value that begins at `start` and returns its end. If `limited`, the value is an object
 * under the spec's limits, and the first violation is stored in `breach`; the rest is still read
 * strictly.
 */
export function skipValue(start: i32, limited: bool): i32 {
  breach = NOTHING;
  let pos = start;
  let depth = 0;
  while (true) {
    const byte = byteAt(pos);
    if (byte === QUOTE) {
      const end = closingQuote(pos + 1);
      if (limited && end - pos - 1 > VALUE_BYTES_MAX) checkValue(decodedBytes(pos + 1, end));
      pos = end + 1;
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      depth++;
      store<u8>(CONTAINERS_AT + depth, byte);
      if (limited && depth > NESTING_LEVELS_MAX) note(NESTING_TOO_DEEP);
      pos = skipSpace(pos + 1);
      if (byteAt(pos) !== closeOf(byte)) {
        if (byte === OPEN_OBJECT) pos = skipKey(pos, limited);
        continue;
      }
      pos++;
      depth--;
    } else {
      const end = skipScalar(pos, byte);
      if (limited) checkValue(end - pos);
      pos = end;
    }
    while (true) {
      if (depth === 0) return pos;
      const container = byteAt(CONTAINERS_AT + depth);
      pos = skipSpace(pos);
      const next = byteAt(pos);
      if (next === COMMA) {
        pos = skipSpace(pos + 1);
        if (container === OPEN_OBJECT) pos = skipKey(pos, limited);
        break;
      }
      if (next !== closeOf(container)) malformed(pos);
      pos++;
      depth--;
    }
  }
}

function closeOf(container: i32): i32 {
  return container + 2;
}

function note(problem: i32): void {
  if (breach === NOTHING) breach = problem;
}

function checkValue(size: i32): void {
  if (size > VALUE_BYTES_MAX) note(VALUE_TOO_LARGE);
}

/** Reads a member's key and colon; returns the start of its value. */
function skipKey(pos: i32, limited: bool): i32 {
  if (byteAt(pos) !== QUOTE) malformed(pos);
  const end = closingQuote(pos + 1);
  if (limited && end - pos - 1 > KEY_CHARACTERS_MAX) {
    if (characterCount(pos + 1, end) > KEY_CHARACTERS_MAX) note(KEY_TOO_LONG);
  }
  return behindColon(end);
}

/** Reads the escape at `pos`; returns the offset after it. */
function skipEscape(pos: i32): i32 {
  const kind = byteAt(pos + 1);
  if (kind === LOWER_U) {
    for (let i = pos + 2; i < pos + 6; i++) if (!isHex(byteAt(i))) malformed(i);
    return pos + 6;
  }
  if (!isSimpleEscape(kind)) malformed(pos + 1);
  return pos + 2;
}

/** The characters besides u that may follow a backslash: quote, backslash, slash, b, f, n, r, t. */
function isSimpleEscape(kind: i32): bool {
  if (kind === QUOTE || kind === BACKSLASH || kind === 0x2f) return true;
  return kind === 0x62 || kind === LOWER_F || kind === LOWER_N || kind === 0x72 || kind === LOWER_T;
}

function isHex(byte: i32): bool {
  return isDigit(byte) || <u32>((byte | 0x20) - 0x61) < 6;
}

function isDigit(byte: i32): bool {
  return <u32>(byte - ZERO) < 10;
}

/** Reads a number or a literal. */
function skipScalar(pos: i32, first: i32): i32 {
  if (isDigit(first) || first === MINUS) return skipNumber(pos, first);
  if (first === LOWER_T) return skipLiteral(pos, TRUE);
  if (first === LOWER_N) return skipLiteral(pos, NULL);
  if (first !== LOWER_F) malformed(pos);
  return skipLiteral(pos + 1, ALSE);
}

const TRUE: u32 = 0x65757274;
const NULL: u32 = 0x6c6c756e;
const ALSE: u32 = 0x65736c61;

function skipLiteral(pos: i32, word: u32): i32 {
  const difference = load<u32>(pos) ^ word;
  if (difference !== 0) malformed(pos + (ctz(difference) >> 3));
  return pos + 4;
}

function skipNumber(start: i32, first: i32): i32 {
  let pos = start;
  if (first === MINUS) pos++;
  if (byteAt(pos) === ZERO) pos++;
  else pos = skipDigits(pos);
  if (byteAt(pos) === POINT) pos = skipDigits(pos + 1);
  if ((byteAt(pos) | 0x20) !== LOWER_E) return pos;
  pos++;
  const sign = byteAt(pos);
  if (sign === PLUS || sign === MINUS) pos++;
  return skipDigits(pos);
}

/** One or more digits. */
function skipDigits(start: i32): i32 {
  let pos = start;
  while (isDigit(byteAt(pos))) pos++;
  if (pos === start) malformed(pos);
  return pos;
}
