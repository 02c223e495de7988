// Corrects a rejected event before it is replayed. Fields are named by their path, such as
// `properties.total`. The operations run in the order rename, drop, set, fill; fill applies only to
// fields that are missing or null. All other bytes of the event are unchanged.

import { z } from 'zod';
import { type Member, memberOf, membersOf, objectOf } from './json-members.ts';

export type Correction = z.output<typeof correctionContract>;

/** The placeholders for values, such as `@received_at`. `@@` escapes a leading `@`. */
type EventFacts = {
  /** When the event was received. */
  readonly received_at: string;
  /** The `sentAt` of the event's batch. */
  readonly sent_at: string;
  /** An ID derived from the event, the same each time the event is replayed. */
  readonly derived: string;
};

const FIELDS_MAX = 20;
const FACTS = ['received_at', 'sent_at', 'derived'] as const;

/** As deep as an event can be nested. */
const path = z
  .string()
  .max(512)
  .regex(/^[^.]+(\.[^.]+){0,4}$/, 'must be a field name or a path, such as properties.total.');
const value = z.json().refine(
  given => {
    if (typeof given !== 'string' || !given.startsWith('@') || given.startsWith('@@')) return true;
    return FACTS.some(fact => given === `@${fact}`);
  },
  `must be one of ${FACTS.map(fact => `@${fact}`).join(', ')} if it starts with @; escape a leading @ as @@`,
);
const few = <T>(record: Readonly<Record<string, T>>) => Object.keys(record).length <= FIELDS_MAX;

export const correctionContract = z.strictObject({
  /** Renames a field within its object. No-op if the new name is already used. */
  rename: z.record(path, z.string().min(1).max(256)).refine(few).default({}),
  drop: z.array(path).max(FIELDS_MAX).default([]),
  set: z.record(path, value).refine(few).default({}),
  fill: z.record(path, value).refine(few).default({}),
});

/** The corrected JSON text; undefined if the event, or a value that a path leads through, is not an
 * object. */
export function correctEvent(
  body: string,
  { rename, drop, set, fill }: Correction,
  facts: EventFacts,
): string | undefined {
  const changes: [string, Change][] = [
    ...Object.entries(rename).map(([from, to]) => [from, renamed(to)] as [string, Change]),
    ...drop.map(dropped => [dropped, without] as [string, Change]),
    ...Object.entries(set).map(([at, to]) => [at, replaced(meant(to, facts))] as [string, Change]),
    ...Object.entries(fill).map(([at, to]) => [at, filled(meant(to, facts))] as [string, Change]),
  ];
  let text: string | undefined = membersOf(body) === undefined ? undefined : body;
  for (const [at, { apply, creates }] of changes)
    text = text === undefined ? undefined : changeAt(text, at.split('.'), apply, creates);
  return text;
}

type Apply = (members: readonly Member[], key: string) => readonly Member[];

type Change = {
  readonly apply: Apply;
  /** Whether missing objects along the path are created. */
  readonly creates: boolean;
};

const has = (members: readonly Member[], key: string) => members.some(member => member.key === key);
const others = (members: readonly Member[], key: string) =>
  members.filter(member => member.key !== key);

const without: Change = {
  apply: (members, key) => (has(members, key) ? others(members, key) : members),
  creates: false,
};

function renamed(to: string): Change {
  const apply: Apply = (members, key) =>
    has(members, to) || !has(members, key)
      ? members
      : members.map(member =>
          member.key === key ? { ...member, key: to, keyText: JSON.stringify(to) } : member,
        );
  return { apply, creates: false };
}

function replaced(to: unknown): Change {
  return { apply: (members, key) => [...others(members, key), memberOf(key, to)], creates: true };
}

function filled(to: unknown): Change {
  const apply: Apply = (members, key) => {
    // If a key occurs several times, the last one counts.
    const present = members.findLast(member => member.key === key);
    return present === undefined || present.valueText === 'null'
      ? [...others(members, key), memberOf(key, to)]
      : members;
  };
  return { apply, creates: true };
}

function changeAt(
  text: string,
  [key, ...rest]: readonly string[],
  apply: Apply,
  creates: boolean,
): string | undefined {
  const members = membersOf(text);
  if (members === undefined || key === undefined) return undefined;
  if (rest.length === 0) {
    const changed = apply(members, key);
    return changed === members ? text : objectOf(changed);
  }
  const inner = members.findLast(member => member.key === key);
  if (inner === undefined && !creates) return text;
  const valueText = changeAt(inner?.valueText ?? '{}', rest, apply, creates);
  if (valueText === undefined) return undefined;
  if (valueText === inner?.valueText) return text;
  return objectOf([...others(members, key), { ...(inner ?? memberOf(key, {})), valueText }]);
}

function meant(given: unknown, facts: EventFacts): unknown {
  if (typeof given !== 'string' || !given.startsWith('@')) return given;
  if (given.startsWith('@@')) return given.slice(1);
  return facts[given.slice(1) as keyof EventFacts];
}
