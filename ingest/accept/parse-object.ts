// Reads the body of an SDK endpoint other than /v1/batch: one JSON object, read strictly, held to
// the limits of the spec, its objects kept as the text that was sent.

import { isUtf8 } from 'node:buffer';
import { type Problem, problem } from '../../schema/values/problem.ts';
import { JsonScanner, MalformedJson } from './json-scanner.ts';
import { LIMIT_MESSAGES } from './limit-messages.ts';
import { decodeString } from './string-value.ts';

const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

export type ParsedObject = {
  readonly bytes: Buffer;
  /** As JSON.parse has it; of duplicate keys the last one counts. */
  readonly value: Readonly<Record<string, unknown>>;
  /** A member's value as it was sent; '' when absent or null. */
  readonly text: (key: string) => string;
  /** A JSON object of the members that have no name here, as sent; '' when there are none. */
  readonly extra: (known: ReadonlySet<string>) => string;
  /** The first limit on depth, keys or values that a member breaks. */
  readonly breach: Problem | undefined;
};

type Member = { readonly keyStart: number; readonly start: number; readonly end: number };

export function parseObject(bytes: Buffer): ParsedObject | Problem {
  if (!isUtf8(bytes)) return problem('MALFORMED_JSON', 'The body is not valid UTF-8.');
  const scanner = new JsonScanner(bytes);
  try {
    const first = scanner.peek();
    if (first === -1) return problem('MALFORMED_JSON', 'The body is empty.');
    if (first === OPEN_OBJECT) return readMembers(scanner, bytes);
    scanner.value();
    scanner.expectEnd();
    return problem('INVALID_BODY');
  } catch (error) {
    if (error instanceof MalformedJson) return problem('MALFORMED_JSON', error.message);
    throw error;
  }
}

function readMembers(scanner: JsonScanner, bytes: Buffer): ParsedObject {
  const members = new Map<string, Member>();
  let breach: Problem | undefined;
  if (scanner.open(OPEN_OBJECT, CLOSE_OBJECT)) {
    do {
      scanner.peek();
      const keyStart = scanner.pos;
      scanner.key();
      const key = decodeString(scanner);
      scanner.peek();
      const start = scanner.pos;
      scanner.value(true);
      if (scanner.breach !== undefined)
        breach ??= problem(scanner.breach, LIMIT_MESSAGES[scanner.breach](printable(key)));
      members.delete(key);
      members.set(key, { keyStart, start, end: scanner.pos });
    } while (scanner.another(CLOSE_OBJECT));
  }
  scanner.expectEnd();
  const slice = (start: number, end: number) => bytes.toString('utf8', start, end);
  return {
    bytes,
    value: JSON.parse(bytes.toString('utf8')) as Record<string, unknown>,
    breach,
    text(key) {
      const member = members.get(key);
      const text = member === undefined ? '' : slice(member.start, member.end);
      return text === 'null' ? '' : text;
    },
    extra(known) {
      const unknown = [...members].filter(([key]) => !known.has(key));
      if (unknown.length === 0) return '';
      return `{${unknown.map(([, { keyStart, end }]) => slice(keyStart, end)).join(',')}}`;
    },
  };
}

const KEY_SHOWN_MAX = 64;

function printable(key: string): string {
  return key.toWellFormed().slice(0, KEY_SHOWN_MAX);
}
