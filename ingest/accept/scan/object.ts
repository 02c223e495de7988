// Reads a body that is one object into its members, each checked against the limits of the spec.

import { byteAt } from './byte-at.ts';
import { CLOSE_OBJECT, COMMA, QUOTE } from './characters.ts';
import { behindColon, breach, closingQuote, malformed, skipSpace, skipValue } from './json.ts';
import { MEMBER_WORDS, MEMBERS_AT } from './layout.ts';

/** The result of the last object read. */
export let memberCount: i32 = 0;

/** `start` is the opening brace; returns the end of the object. */
export function readObject(start: i32): i32 {
  memberCount = 0;
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
  const start = behindColon(keyEnd);
  const end = skipValue(start, true);
  const at = MEMBERS_AT + memberCount * (MEMBER_WORDS * 4);
  store<i32>(at, keyStart);
  store<i32>(at, keyEnd + 1, 4);
  store<i32>(at, start, 8);
  store<i32>(at, end, 12);
  store<i32>(at, breach, 16);
  memberCount++;
  return end;
}
