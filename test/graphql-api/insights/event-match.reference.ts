// A reference implementation in plain TypeScript: which events match, and their values.

import type {
  EventMatch,
  EventProperty,
  EventPropertyFilter,
} from '../../../graphql-api/insights/event-match.ts';
import type { Random } from '../../harness/random.ts';
import type { Row } from '../harness/report-rows.ts';
import { NAMES } from './data-set.ts';

const NO_PROPERTY = '00000000-0000-0000-0000-000000000000';

export function timeMs(row: Row): number {
  return Date.parse(row.timestamp as string);
}

export function personOf(row: Row): string {
  return (row.user_id || row.anonymous_id || '') as string;
}

export function matches(row: Row, { name, filters }: EventMatch): boolean {
  if (name != null && ((row.event || row.name) as string) !== name) return false;
  return (filters ?? []).every(filter => meets(row, filter));
}

function meets(row: Row, filter: EventPropertyFilter): boolean {
  const text = textIn(row, filter.property);
  const number = numberIn(row, filter.property);
  const found = jsonIn(row, filter.property);
  if (filter.equals != null && text !== filter.equals) return false;
  if (filter.in != null && (text === null || !filter.in.includes(text))) return false;
  if (filter.exists != null && filter.exists !== (found !== undefined && found !== null))
    return false;
  if (filter.greaterThan != null && !(number !== null && number > filter.greaterThan)) return false;
  if (filter.atLeast != null && !(number !== null && number >= filter.atLeast)) return false;
  if (filter.lessThan != null && !(number !== null && number < filter.lessThan)) return false;
  return filter.atMost == null || (number !== null && number <= filter.atMost);
}

export function textIn(row: Row, property: EventProperty): string | null {
  const value = jsonIn(row, property);
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? `${value}` : null;
}

export function numberIn(row: Row, property: EventProperty): number | null {
  const value = jsonIn(row, property);
  return typeof value === 'number' ? value : null;
}

function jsonIn(row: Row, { column, properties, context }: EventProperty): unknown {
  if (column != null) {
    const value = row[column];
    return value === '' || value === NO_PROPERTY ? undefined : value;
  }
  let value: unknown = JSON.parse(
    (row[context == null ? 'properties' : 'context'] as string) || '{}',
  );
  for (const key of context ?? properties ?? [])
    value =
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? (value as Record<string, unknown>)[key]
        : undefined;
  return value;
}

/** Orders strings like ClickHouse: by their bytes, null last. */
export function compareTexts(a: string | null, b: string | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

const NUMBERS: readonly EventProperty[] = [
  { properties: ['total'] },
  { properties: ['cart', "to'tal"] },
  { properties: ['missing'] },
];

const PROPERTIES: readonly EventProperty[] = [
  ...NUMBERS,
  { properties: ['plan'] },
  { context: ['page', 'url'] },
  { column: 'type' },
  { column: 'event' },
  { column: 'user_id' },
  { column: 'session_id' },
  { column: 'property_id' },
];

const TEXTS = [
  'pro',
  '12',
  '',
  'track',
  '/a',
  'é',
  `it's "quoted" \\ \n\t{p1:String}`,
  '注文 ✓',
  's1',
  'été',
];

export function randomNumber(random: Random): EventProperty {
  return random.pick(NUMBERS);
}

export function randomProperty(random: Random): EventProperty {
  return random.pick(PROPERTIES);
}

export function randomMatch(random: Random): EventMatch {
  const name = random.below(5) === 0 ? null : random.pick(NAMES);
  return random.below(2) === 0 ? { name } : { name, filters: [randomFilter(random)] };
}

function randomFilter(random: Random): EventPropertyFilter {
  const property = randomProperty(random);
  const comparisons = property.column == null;
  const filter = random.pick<Omit<EventPropertyFilter, 'property'>>([
    { equals: random.pick(TEXTS) },
    { in: [random.pick(TEXTS), random.pick(TEXTS)] },
    { in: [] },
    { exists: random.below(2) === 0 },
    ...(comparisons ? [{ greaterThan: 1.5 }, { atLeast: 12, atMost: 100 }, { lessThan: -0 }] : []),
  ]);
  return { property, ...filter };
}
