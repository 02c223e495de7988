// The exports of the module. The body is at address 0, valid UTF-8 followed by NULs. `npm run wasm`
// compiles the module to module.wasm.

import { readBatch } from './batch.ts';
import { byteAt } from './byte-at.ts';
import { OPEN_OBJECT } from './characters.ts';
import { malformed, skipSpace, skipValue } from './json.ts';
import { EMPTY, OTHER_VALUE } from './layout.ts';
import { memberCount, readObject } from './object.ts';

import { encodeRows, shareAmongRows } from './rows.ts';

export { encodeRows, shareAmongRows };

/** Returns 0 if the body is an object, whose data is then in the envelope and the records. */
export function scanBatch(length: i32): i32 {
  const start = skipSpace(0);
  if (start === length) return EMPTY;
  const isObject = byteAt(start) === OPEN_OBJECT;
  expectEnd(isObject ? readBatch(start) : skipValue(start, false), length);
  return isObject ? 0 : OTHER_VALUE;
}

/** Returns the number of members if the body is an object. */
export function scanObject(length: i32): i32 {
  const start = skipSpace(0);
  if (start === length) return EMPTY;
  const isObject = byteAt(start) === OPEN_OBJECT;
  expectEnd(isObject ? readObject(start) : skipValue(start, false), length);
  return isObject ? memberCount : OTHER_VALUE;
}

function expectEnd(behindValue: i32, length: i32): void {
  const pos = skipSpace(behindValue);
  if (pos !== length) malformed(pos);
}
