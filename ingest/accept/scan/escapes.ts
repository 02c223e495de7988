// JSON strings with escapes, between their quotes: `start` to `end`, valid UTF-8 with valid escapes.

import { byteAt } from './byte-at.ts';
import { BACKSLASH, LOWER_U } from './characters.ts';
import { LONE_SURROGATE, NOTHING, NUL_CHARACTER } from './problems.ts';

/** Unicode characters; a surrogate pair written as two escapes is one. */
export function characterCount(start: i32, end: i32): i32 {
  let characters = 0;
  let pos = start;
  while (pos < end) {
    if (byteAt(pos) === BACKSLASH) pos += escapeLength(pos);
    else pos += utf8Length(byteAt(pos));
    characters++;
  }
  return characters;
}

/** The length of the decoded string in UTF-8; a lone surrogate counts three bytes, as in WTF-8. */
export function decodedBytes(start: i32, end: i32): i32 {
  let size = 0;
  let pos = start;
  while (pos < end) {
    if (byteAt(pos) !== BACKSLASH) {
      size++;
      pos++;
      continue;
    }
    const length = escapeLength(pos);
    if (length === 12) size += 4;
    else if (length === 2) size++;
    else {
      const unit = escapedUnit(pos);
      size += unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3;
    }
    pos += length;
  }
  return size;
}

/** Why a string cannot be stored in a column; a lone surrogate is reported first. */
export function unstorable(start: i32, end: i32): i32 {
  let found = NOTHING;
  let pos = start;
  while (pos < end) {
    if (byteAt(pos) !== BACKSLASH) {
      pos++;
      continue;
    }
    const length = escapeLength(pos);
    if (length === 6) {
      const unit = escapedUnit(pos);
      if (isSurrogate(unit)) return LONE_SURROGATE;
      if (unit === 0) found = NUL_CHARACTER;
    }
    pos += length;
  }
  return found;
}

/** Writes the string, which has no lone surrogate, as UTF-8 to `to`; returns its end. */
export function decode(start: i32, end: i32, to: i32): i32 {
  let pos = start;
  let out = to;
  while (pos < end) {
    if (byteAt(pos) !== BACKSLASH) {
      store<u8>(out++, byteAt(pos++));
      continue;
    }
    const length = escapeLength(pos);
    if (length === 2) store<u8>(out++, simpleEscape(byteAt(pos + 1)));
    else if (length === 6) out = writeUtf8(escapedUnit(pos), out);
    else {
      const high = escapedUnit(pos) - 0xd800;
      const low = escapedUnit(pos + 6) - 0xdc00;
      out = writeUtf8(0x10000 + (high << 10) + low, out);
    }
    pos += length;
  }
  return out;
}

/** 2, or 6 for \u, or 12 for a surrogate pair. At least a quote follows the last string. */
function escapeLength(pos: i32): i32 {
  if (byteAt(pos + 1) !== LOWER_U) return 2;
  if ((escapedUnit(pos) & 0xfc00) !== 0xd800) return 6;
  if (byteAt(pos + 6) !== BACKSLASH || byteAt(pos + 7) !== LOWER_U) return 6;
  return (escapedUnit(pos + 6) & 0xfc00) === 0xdc00 ? 12 : 6;
}

function escapedUnit(pos: i32): i32 {
  return (
    (hexDigit(byteAt(pos + 2)) << 12) |
    (hexDigit(byteAt(pos + 3)) << 8) |
    (hexDigit(byteAt(pos + 4)) << 4) |
    hexDigit(byteAt(pos + 5))
  );
}

function hexDigit(byte: i32): i32 {
  return byte <= 0x39 ? byte - 0x30 : (byte | 0x20) - 0x57;
}

function isSurrogate(unit: i32): bool {
  return (unit & 0xf800) === 0xd800;
}

function simpleEscape(kind: i32): i32 {
  if (kind === 0x62) return 0x08;
  if (kind === 0x66) return 0x0c;
  if (kind === 0x6e) return 0x0a;
  if (kind === 0x72) return 0x0d;
  if (kind === 0x74) return 0x09;
  return kind;
}

function writeUtf8(code: i32, to: i32): i32 {
  if (code < 0x80) {
    store<u8>(to, code);
    return to + 1;
  }
  if (code < 0x800) {
    store<u8>(to, 0xc0 | (code >> 6));
    return writeTail(code, 0, to + 1);
  }
  if (code < 0x10000) {
    store<u8>(to, 0xe0 | (code >> 12));
    return writeTail(code, 6, to + 1);
  }
  store<u8>(to, 0xf0 | (code >> 18));
  return writeTail(code, 12, to + 1);
}

/** The bytes after the first one: six bits each, from `shift` down. */
function writeTail(code: i32, shift: i32, to: i32): i32 {
  let out = to;
  for (let bits = shift; bits >= 0; bits -= 6) store<u8>(out++, 0x80 | ((code >> bits) & 0x3f));
  return out;
}

function utf8Length(lead: i32): i32 {
  return lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}
