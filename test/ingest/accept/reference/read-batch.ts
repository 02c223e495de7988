// A simple implementation of /v1/batch that works with values instead of offsets.

import { isUtf8 } from 'node:buffer';
import {
  BATCH_EVENTS_MAX,
  ENVELOPE_BYTES_MAX,
  KEY_CHARACTERS_MAX,
  NESTING_LEVELS_MAX,
  STRING_CHARACTERS_MAX,
  VALUE_BYTES_MAX,
} from '../../../../ingest/limits.ts';
import { parseInstant } from '../../../../schema/values/instant.ts';
import { type Problem, type ProblemCode, problem } from '../../../../schema/values/problem.ts';
import { JsonScanner, type LimitBreach, MalformedJson } from './json-scanner.ts';

export type ReferenceEvent = {
  readonly body: string;
  readonly fault: Problem | undefined;
  /** Strings are decoded; objects are the text that was sent. */
  readonly fields: ReadonlyMap<string, string>;
  readonly extra: string;
};

export type ReferenceBatch = {
  readonly writeKey: string | undefined;
  readonly sentAt: string | undefined;
  readonly context: string;
  readonly contextFault: Problem | undefined;
  readonly extra: string;
  readonly eventCount: number;
  readonly events: readonly ReferenceEvent[];
};

export function readBatch(bytes: Buffer): ReferenceBatch | Problem {
  if (!isUtf8(bytes)) return problem('MALFORMED_JSON', 'The body is not valid UTF-8.');
  const scanner = new JsonScanner(bytes);
  try {
    if (scanner.peek() === -1) return problem('MALFORMED_JSON', 'The body is empty.');
    if (scanner.peek() !== code('{')) {
      scanner.value();
      scanner.expectEnd();
      return problem('INVALID_BODY');
    }
    const batch = readEnvelope(scanner);
    scanner.expectEnd();
    return batch;
  } catch (error) {
    if (error instanceof MalformedJson) return problem('MALFORMED_JSON', error.message);
    throw error;
  }
}

const STRINGS = [
  'type',
  'event',
  'name',
  'messageId',
  'timestamp',
  'anonymousId',
  'userId',
  'sessionId',
];
const OBJECTS = ['properties', 'traits', 'context'];
const REQUIRED = ['type', 'messageId', 'timestamp', 'anonymousId', 'sessionId'];
const TYPES = ['track', 'identify', 'page', 'screen', 'group', 'alias'];

function readEnvelope(scanner: JsonScanner): ReferenceBatch {
  let writeKey: string | undefined;
  let sentAt: string | undefined;
  let context = '';
  let contextFault: Problem | undefined;
  let eventCount = -1;
  let events: ReferenceEvent[] = [];
  const unknown = readMembers(scanner, key => {
    const isString = scanner.peek() === code('"');
    if (key === 'writeKey') writeKey = isString ? readString(scanner) : skip(scanner);
    else if (key === 'sentAt') sentAt = isString ? readString(scanner) : skip(scanner);
    else if (key === 'context') {
      const isNull = scanner.peek() === code('n');
      const object = readObject(scanner);
      context = object ?? '';
      contextFault = undefined;
      if (object === undefined && !isNull) contextFault = problem('INVALID_CONTEXT');
      else if (object !== undefined && scanner.breach !== undefined)
        contextFault = problem('INVALID_CONTEXT', limitText(scanner.breach, key));
    } else if (key === 'batch') {
      events = [];
      eventCount = readEvents(scanner, events);
    } else return false;
    return true;
  });
  const size = Buffer.byteLength(context + unknown.join(''));
  if (size > ENVELOPE_BYTES_MAX) contextFault ??= problem('INVALID_CONTEXT', TOO_LARGE);
  return {
    writeKey,
    sentAt,
    context,
    contextFault,
    extra: objectOf(unknown),
    eventCount,
    events,
  };
}

const TOO_LARGE = `context and the unknown members of the batch together exceed ${ENVELOPE_BYTES_MAX} bytes.`;

function readEvents(scanner: JsonScanner, events: ReferenceEvent[]): number {
  if (scanner.peek() !== code('[')) {
    scanner.value();
    return -1;
  }
  let count = 0;
  if (!scanner.open(code('['), code(']'))) return 0;
  do {
    if (count < BATCH_EVENTS_MAX) events.push(readEvent(scanner));
    else scanner.value();
    count++;
  } while (scanner.another(0x5d));
  return count;
}

function readEvent(scanner: JsonScanner): ReferenceEvent {
  const fields = new Map<string, string>();
  const faults: Problem[] = [];
  const isObject = scanner.peek() === code('{');
  const start = scanner.pos;
  let unknown: string[] = [];
  if (isObject) {
    unknown = readMembers(scanner, key => readField(scanner, key, fields, faults));
    faults.push(...missing(fields), ...badTime(fields));
  } else {
    scanner.value();
    faults.push(problem('INVALID_EVENT'));
  }
  return { body: text(scanner, start), fault: faults[0], fields, extra: objectOf(unknown) };
}

function readField(
  scanner: JsonScanner,
  key: string,
  fields: Map<string, string>,
  faults: Problem[],
): boolean {
  const isString = STRINGS.includes(key);
  if (!isString && !OBJECTS.includes(key)) return false;
  const first = scanner.peek();
  fields.delete(key);
  if (isString && first === code('"')) {
    const value = readString(scanner);
    fields.set(key, value);
    const say = (code: ProblemCode, what: string) => faults.push(problem(code, `${key} ${what}`));
    if (!value.isWellFormed()) say('INVALID_STRING', 'contains a lone surrogate.');
    else if (value.includes('\0')) say('INVALID_STRING', 'contains a NUL character.');
    if (Array.from(value).length > STRING_CHARACTERS_MAX)
      say('FIELD_TOO_LONG', `is longer than ${STRING_CHARACTERS_MAX} characters.`);
    return true;
  }
  const object = isString ? skip(scanner) : readObject(scanner);
  if (object !== undefined) {
    fields.set(key, object);
    const { breach } = scanner;
    if (breach !== undefined) faults.push(problem(breach, limitText(breach, key)));
  } else if (first !== code('n')) {
    const message = `${key} must be ${isString ? 'a string' : 'an object'}.`;
    faults.push(problem('INVALID_FIELD', message));
  }
  return true;
}

function missing(fields: ReadonlyMap<string, string>): Problem[] {
  const faults = REQUIRED.filter(name => !fields.get(name)).map(name =>
    problem('MISSING_FIELD', `${name} is missing or empty.`),
  );
  const type = fields.get('type');
  if (faults.length === 0 && !TYPES.includes(type!)) faults.push(problem('UNKNOWN_EVENT_TYPE'));
  if (type === 'track' && !fields.get('event'))
    faults.push(problem('MISSING_FIELD', 'event is missing or empty; it is required for track.'));
  return faults;
}

function badTime(fields: ReadonlyMap<string, string>): Problem[] {
  const isTime = parseInstant(fields.get('timestamp') ?? '') !== undefined;
  return isTime ? [] : [problem('INVALID_TIMESTAMP')];
}

/** Returns the members for which `take` returns false. */
function readMembers(scanner: JsonScanner, take: (key: string) => boolean): string[] {
  const unknown: string[] = [];
  if (scanner.open(code('{'), code('}'))) {
    do {
      scanner.peek();
      const keyStart = scanner.pos;
      scanner.key();
      const key = JSON.parse(`"${text(scanner, scanner.stringStart, scanner.stringEnd)}"`);
      if (take(key as string)) continue;
      scanner.value();
      unknown.push(text(scanner, keyStart));
    } while (scanner.another(0x7d));
  }
  return unknown;
}

function objectOf(members: readonly string[]): string {
  return members.length === 0 ? '' : `{${members.join(',')}}`;
}

function readString(scanner: JsonScanner): string {
  const start = scanner.pos;
  scanner.string();
  return JSON.parse(text(scanner, start)) as string;
}

/** Returns undefined if the value is not an object. */
function readObject(scanner: JsonScanner): string | undefined {
  const isObject = scanner.peek() === code('{');
  const start = scanner.pos;
  scanner.value(true);
  return isObject ? text(scanner, start) : undefined;
}

function skip(scanner: JsonScanner): undefined {
  scanner.value();
}

function text(scanner: JsonScanner, start: number, end = scanner.pos): string {
  return Buffer.from(scanner.bytes.subarray(start, end)).toString();
}

function code(character: string): number {
  return character.charCodeAt(0);
}

function limitText(breach: LimitBreach, field: string): string {
  if (breach === 'NESTING_TOO_DEEP')
    return `${field} is nested deeper than ${NESTING_LEVELS_MAX} levels (the object itself is level 1, and arrays count as levels).`;
  if (breach === 'KEY_TOO_LONG')
    return `${field} has a key longer than ${KEY_CHARACTERS_MAX} characters.`;
  return `${field} has a value larger than ${VALUE_BYTES_MAX} bytes.`;
}
