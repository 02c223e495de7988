// Parses the body of SDK endpoints other than /v1/batch: one JSON object, read strictly and checked
// against the limits of the spec. Its objects are kept as the text that was sent.

import { isUtf8 } from 'node:buffer';
import { type Problem, problem } from '../../schema/values/problem.ts';
import { bodyScanner, MalformedJson } from './body-scanner.ts';
import { decodedText } from './decoded-text.ts';
import { limitProblem } from './limit-problem.ts';
import { EMPTY, MEMBER_WORDS, OTHER_VALUE } from './scan/layout.ts';
import { NOTHING } from './scan/problems.ts';

export type ParsedObject = {
  readonly bytes: Buffer;
  /** As parsed by JSON.parse; of duplicate keys the last one counts. */
  readonly value: Readonly<Record<string, unknown>>;
  /** The text of a member's value as sent; '' if absent or null. */
  readonly text: (key: string) => string;
  /** The members that are not in `known`, as the text of a JSON object; '' if none. */
  readonly extra: (known: ReadonlySet<string>) => string;
  /** The first violation of the limits on depth, keys or values. */
  readonly breach: Problem | undefined;
};

type Member = { readonly keyStart: number; readonly start: number; readonly end: number };

export function parseObject(bytes: Buffer): ParsedObject | Problem {
  if (!isUtf8(bytes)) return problem('MALFORMED_JSON', 'The body is not valid UTF-8.');
  try {
    const found = bodyScanner.scanObject(bytes);
    if (found === EMPTY) return problem('MALFORMED_JSON', 'The body is empty.');
    return found === OTHER_VALUE ? problem('INVALID_BODY') : parsedObject(bytes, found);
  } catch (error) {
    if (error instanceof MalformedJson) return problem('MALFORMED_JSON', error.message);
    throw error;
  }
}

function parsedObject(bytes: Buffer, count: number): ParsedObject {
  const { members, breach } = readMembers(bytes, bodyScanner.members(count));
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

function readMembers(bytes: Buffer, words: Int32Array) {
  const members = new Map<string, Member>();
  let breach: Problem | undefined;
  for (let at = 0; at < words.length; at += MEMBER_WORDS) {
    const keyStart = words[at]!;
    const key = decodedText(bytes, keyStart + 1, words[at + 1]! - 1);
    const limit = words[at + 4]!;
    if (limit !== NOTHING) breach ??= limitProblem(limit, printable(key));
    members.delete(key);
    members.set(key, { keyStart, start: words[at + 2]!, end: words[at + 3]! });
  }
  return { members, breach };
}

const KEY_SHOWN_MAX = 64;

function printable(key: string): string {
  return key.toWellFormed().slice(0, KEY_SHOWN_MAX);
}
