// Writes an event of another vendor's client as an event of the contract. Members are copied as
// text, so no number loses digits and no order changes. Missing values are derived from those that
// were sent, so that a repeat of the same bytes is the same event (docs/sdk-developers.md).

import { createHash } from 'node:crypto';
import { parseInstant } from '../../schema/values/instant.ts';
import { type Member, membersOf, type Span } from './json-spans.ts';
import { isBlank, isObject, isText, type Json } from './json-values.ts';

/** The values shared by all events of a request. */
export type Envelope = {
  /** The type named by the path; undefined if each event has its own. */
  readonly type: string | undefined;
  /** As sent; undefined if it was not. */
  readonly sentAt: string | undefined;
  readonly receivedAt: string;
  /**
   * The member that contains the page name if the event itself has none; undefined if no member
   * does.
   */
  readonly pageNameIn?: 'properties' | undefined;
};

const IDS = ['messageId', 'anonymousId', 'userId', 'sessionId'];
/** The key only authenticates the request, so it is not stored with each event. */
const DROPPED: ReadonlySet<string> = new Set(['writeKey']);
const HASH_CHARACTERS = 32;
/** Together with the day, well below the longest ID that the contract accepts. */
const SESSION_ID_CHARACTERS_MAX = 256;

/**
 * `value` is the parsed text of the span. `place` is the event's index in the request. A value that
 * is not an object is unchanged, and the contract rejects it.
 */
export function normaliseEvent(
  text: string,
  span: Span,
  value: unknown,
  place: number,
  envelope: Envelope,
): string {
  const sent = text.slice(span.start, span.end);
  if (!isObject(value)) return sent;
  const members = membersOf(text, span.start);
  const written = new Written(text, members);
  if (envelope.type !== undefined) written.set('type', envelope.type);
  for (const name of IDS)
    if (typeof value[name] === 'number') written.setText(name, `"${written.textOf(name)}"`);
  if (isBlank(value.anonymousId) && !isBlank(value.userId))
    written.set('anonymousId', written.valueOf('userId'));
  if (isBlank(value.timestamp)) written.set('timestamp', timeOf(value, envelope));
  if (isBlank(value.messageId)) written.set('messageId', hashOf(sent, value, place, envelope));
  if (isBlank(value.sessionId)) setSessionId(written, value);
  const type = envelope.type ?? value.type;
  if (type === 'identify') setTraits(written, value);
  if (type === 'page') setPageName(written, value, envelope);
  return written.toString();
}

/** The members to write: those that were sent, except for new and changed ones. */
class Written {
  readonly #text: string;
  readonly #members: readonly Member[];
  readonly #changed = new Map<string, string>();

  constructor(text: string, members: readonly Member[]) {
    this.#text = text;
    this.#members = members;
  }

  /** The JSON text of a member that was sent. Of duplicate names the last one counts. */
  textOf(name: string): string {
    return textOf(this.#text, this.#members, name)!;
  }

  /** The JSON text of a member of an object that was sent. */
  textWithin(name: string, inner: string): string {
    const outer = this.#members.findLast(member => member.name === name)!;
    return textOf(this.#text, membersOf(this.#text, outer.start), inner)!;
  }

  /** The value that is written; undefined if there is none. */
  valueOf(name: string): unknown {
    const json = this.#changed.get(name) ?? textOf(this.#text, this.#members, name);
    return json === undefined ? undefined : JSON.parse(json);
  }

  set(name: string, value: unknown): void {
    this.#changed.set(name, JSON.stringify(value));
  }

  setText(name: string, json: string): void {
    this.#changed.set(name, json);
  }

  toString(): string {
    const kept = this.#members
      .filter(({ name }) => !this.#changed.has(name) && !DROPPED.has(name))
      .map(({ keyStart, end }) => this.#text.slice(keyStart, end));
    const changed = Array.from(this.#changed, ([name, json]) => `${JSON.stringify(name)}:${json}`);
    return `{${[...kept, ...changed].join(',')}}`;
  }
}

function textOf(text: string, members: readonly Member[], name: string): string | undefined {
  const member = members.findLast(member => member.name === name);
  return member === undefined ? undefined : text.slice(member.start, member.end);
}

/** RudderStack's clients have `originalTimestamp` in place of `timestamp`. */
function timeOf(value: Json, { sentAt, receivedAt }: Envelope): string {
  return ownTime(value) ?? sentAt ?? receivedAt;
}

function ownTime({ timestamp, originalTimestamp, sentAt }: Json): string | undefined {
  return [timestamp, originalTimestamp, sentAt].find(time => isText(time)) as string | undefined;
}

/**
 * The time of the request is part of it only if the event has no time of its own, because a
 * client's retry has another request time.
 */
function hashOf(sent: string, value: Json, place: number, { type, sentAt }: Envelope): string {
  const time = ownTime(value) === undefined ? (sentAt ?? '') : '';
  return hash([type ?? '', String(place), time, sent].join('\n'));
}

/**
 * RudderStack's browser client counts sessions in the context. Without one, the visit of a device
 * or person on a day is the session.
 */
function setSessionId(written: Written, value: Json): void {
  const { context } = value;
  const given = isObject(context) ? context.sessionId : undefined;
  if (isText(given)) written.setText('sessionId', written.textWithin('context', 'sessionId'));
  else if (typeof given === 'number')
    written.setText('sessionId', `"${written.textWithin('context', 'sessionId')}"`);
  else {
    const id = written.valueOf('anonymousId');
    if (!isText(id)) return;
    const name = id.length > SESSION_ID_CHARACTERS_MAX ? hash(id) : id;
    written.set('sessionId', `${name}:${dayOf(written.valueOf('timestamp'))}`);
  }
}

/** The UTC day. The contract rejects an invalid time. */
function dayOf(timestamp: unknown): string {
  const instant = typeof timestamp === 'string' ? parseInstant(timestamp) : undefined;
  return instant === undefined ? '' : new Date(instant.ms).toISOString().slice(0, 10);
}

/** RudderStack's clients have the traits of `identify` in the context. */
function setTraits(written: Written, { traits, context }: Json): void {
  if ((traits ?? null) !== null || !isObject(context) || !isObject(context.traits)) return;
  written.setText('traits', written.textWithin('context', 'traits'));
}

/** Jitsu's client has the name of a page among its properties. */
function setPageName(written: Written, value: Json, { pageNameIn }: Envelope): void {
  if (pageNameIn === undefined || !isBlank(value.name)) return;
  const holder = value[pageNameIn];
  if (!isObject(holder) || !isText(holder.name)) return;
  written.setText('name', written.textWithin(pageNameIn, 'name'));
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, HASH_CHARACTERS);
}
