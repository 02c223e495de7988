// Rewrites an event of PostHog's clients in the form that normalise-event.ts reads. Values are
// copied as text. These clients have a single kind of event: its name determines the type, and its
// IDs are among the properties.

import { type Member, membersOf, type Span } from '../json-spans.ts';
import { isBlank, isObject, type Json } from '../json-values.ts';

type Kind = {
  readonly type: string;
  /** Members of the event, or otherwise of its properties, that become members of the contract. */
  readonly copied: Readonly<Record<string, string>>;
};

const IDENTIFY: Kind = { type: 'identify', copied: { $set: 'traits' } };
const ALIAS: Kind = { type: 'alias', copied: { alias: 'previousId' } };
const KINDS: ReadonlyMap<unknown, Kind> = new Map<unknown, Kind>([
  ['$pageview', { type: 'page', copied: { name: 'name' } }],
  ['$screen', { type: 'screen', copied: { $screen_name: 'name' } }],
  ['$identify', IDENTIFY],
  ['$set', IDENTIFY],
  ['$create_alias', ALIAS],
  ['$merge_dangerously', ALIAS],
  ['$groupidentify', { type: 'group', copied: { $group_key: 'groupId', $group_set: 'traits' } }],
]);
const TRACK: Kind = { type: 'track', copied: { event: 'event' } };

/** The members of the context, and the properties that they come from. */
const CONTEXT: Readonly<Record<string, string | Readonly<Record<string, string>>>> = {
  page: { url: '$current_url', path: '$pathname', referrer: '$referrer', title: 'title' },
  campaign: {
    source: 'utm_source',
    medium: 'utm_medium',
    name: 'utm_campaign',
    term: 'utm_term',
    content: 'utm_content',
  },
  os: { name: '$os', version: '$os_version' },
  app: { name: '$app_name', version: '$app_version' },
  library: { name: '$lib', version: '$lib_version' },
  userAgent: '$raw_user_agent',
  locale: '$browser_language',
  timezone: '$timezone',
};

/** Members that are written under another name, and those of the contract, which are derived. */
const REPLACED: ReadonlySet<string> = new Set([
  'event',
  'properties',
  'distinct_id',
  '$distinct_id',
  'uuid',
  'timestamp',
  'offset',
  'api_key',
  'token',
  'sent_at',
  'type',
  'name',
  'traits',
  'context',
  'groupId',
  'previousId',
  'userId',
  'anonymousId',
  'messageId',
  'sessionId',
  'originalTimestamp',
  'sentAt',
  'writeKey',
]);
/** A longer offset cannot be the time since the event. */
const OFFSET_MAX_MS = 366 * 86_400_000;

/** A value that is not an object is unchanged, and the contract rejects it. */
export function translateEvent(text: string, span: Span, value: unknown, sentAtMs: number): string {
  if (!isObject(value)) return text.slice(span.start, span.end);
  const sent = new Sent(text, span.start, value);
  const { type, copied } = KINDS.get(value.event) ?? TRACK;
  const written = new Map<string, string | undefined>([['type', JSON.stringify(type)]]);
  for (const [from, to] of Object.entries(copied)) written.set(to, sent.anywhere(from));
  // A property of any value may have this name.
  if (!written.get('name')?.startsWith('"')) written.delete('name');
  written.set('messageId', sent.own('uuid'));
  written.set('timestamp', sent.own('timestamp') ?? timeByOffset(value, sentAtMs));
  setIds(written, sent);
  written.set('sessionId', sent.property('$session_id'));
  written.set('properties', sent.own('properties'));
  written.set('context', contextOf(sent));
  const isCopied = (name: string) => type !== 'track' && Object.hasOwn(copied, name);
  const kept = sent.members.filter(({ name }) => !REPLACED.has(name) && !isCopied(name));
  return `{${[...asMembers(written), ...kept.map(member => sent.textOf(member))].join(',')}}`;
}

/**
 * The distinct ID is the user ID or, as long as the person is not identified, the ID of the device.
 */
function setIds(written: Map<string, string | undefined>, sent: Sent): void {
  const id = sent.anywhere('distinct_id') ?? sent.anywhere('$distinct_id');
  const device = sent.property('$device_id');
  if (sent.property('$is_identified') === 'false' || (id !== undefined && id === device)) {
    written.set('anonymousId', id);
    return;
  }
  written.set('userId', id);
  written.set('anonymousId', sent.property('$anon_distinct_id') ?? device);
}

/**
 * Earlier clients send how long ago an event was. A retry has another offset, so it can be
 * recognized only by a UUID.
 */
function timeByOffset({ offset, uuid }: Json, sentAtMs: number): string | undefined {
  if (typeof offset !== 'number' || offset < 0 || offset > OFFSET_MAX_MS || isBlank(uuid))
    return undefined;
  return JSON.stringify(new Date(sentAtMs - offset).toISOString());
}

function contextOf(sent: Sent): string | undefined {
  const written = new Map<string, string | undefined>();
  for (const [name, from] of Object.entries(CONTEXT))
    written.set(name, typeof from === 'string' ? sent.scalar(from) : objectOf(sent, from));
  return asObject(written);
}

function objectOf(sent: Sent, names: Readonly<Record<string, string>>): string | undefined {
  return asObject(new Map(Object.entries(names).map(([to, from]) => [to, sent.scalar(from)])));
}

function asObject(written: ReadonlyMap<string, string | undefined>): string | undefined {
  const members = asMembers(written);
  return members.length === 0 ? undefined : `{${members.join(',')}}`;
}

function asMembers(written: ReadonlyMap<string, string | undefined>): string[] {
  return Array.from(written).flatMap(([name, json]) =>
    json === undefined ? [] : [`${JSON.stringify(name)}:${json}`],
  );
}

/** The texts of an event's members and properties; undefined if absent, null or empty. */
class Sent {
  readonly members: readonly Member[];
  readonly #text: string;
  readonly #properties: ReadonlyMap<string, string>;
  readonly #own: ReadonlyMap<string, string>;

  constructor(text: string, start: number, { properties }: Json) {
    this.#text = text;
    this.members = membersOf(text, start);
    this.#own = textsOf(text, this.members);
    const at = this.members.findLast(({ name }) => name === 'properties')?.start;
    this.#properties =
      at !== undefined && isObject(properties) ? textsOf(text, membersOf(text, at)) : new Map();
  }

  own(name: string): string | undefined {
    return given(this.#own.get(name));
  }

  property(name: string): string | undefined {
    return given(this.#properties.get(name));
  }

  /** Only these, because an object could exceed the nesting limit of the context. */
  scalar(name: string): string | undefined {
    const json = this.property(name);
    return json === undefined || /^[[{]/.test(json) ? undefined : json;
  }

  anywhere(name: string): string | undefined {
    return this.own(name) ?? this.property(name);
  }

  /** With its name. */
  textOf({ keyStart, end }: Member): string {
    return this.#text.slice(keyStart, end);
  }
}

/** Of duplicate names the last one counts. */
function textsOf(text: string, members: readonly Member[]): ReadonlyMap<string, string> {
  return new Map(members.map(({ name, start, end }) => [name, text.slice(start, end)]));
}

function given(json: string | undefined): string | undefined {
  return json === 'null' || json === '""' ? undefined : json;
}
