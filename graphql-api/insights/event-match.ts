// The events that a report counts: a name and filters on the values of an event, as conditions of
// ClickHouse.

import { reject } from '../platform/rejected.ts';
import { requireText } from '../platform/warehouse/event-filter.ts';
import type { Statement } from './statement.ts';

export type EventMatch = {
  /** The name of the event, page or screen. Any event if not set. */
  readonly name?: string | null | undefined;
  /** All of them must be met. */
  readonly filters?: readonly EventPropertyFilter[] | null | undefined;
};

/** A value of an event: one of these. */
export type EventProperty = {
  readonly column?: EventColumn | null | undefined;
  /** The keys from the outermost object to the value. */
  readonly properties?: readonly string[] | null | undefined;
  readonly context?: readonly string[] | null | undefined;
};

export type EventColumn = (typeof EVENT_COLUMNS)[number];

export const EVENT_COLUMNS = [
  'type',
  'event',
  'name',
  'user_id',
  'anonymous_id',
  'session_id',
  'property_id',
  'sdk_key_id',
] as const;

/** A filter on one value. All conditions that are set must be met. */
export type EventPropertyFilter = {
  readonly property: EventProperty;
  readonly equals?: string | null | undefined;
  readonly in?: readonly string[] | null | undefined;
  readonly exists?: boolean | null | undefined;
  readonly greaterThan?: number | null | undefined;
  readonly atLeast?: number | null | undefined;
  readonly lessThan?: number | null | undefined;
  readonly atMost?: number | null | undefined;
};

/** More conditions than a form can show, and few enough to evaluate for each event. */
export const FILTERS_MAX = 10;
export const FILTER_VALUES_MAX = 50;
/** Deeper than ingest accepts objects. */
export const PATH_KEYS_MAX = 10;

const COMPARISONS = { greaterThan: '>', atLeast: '>=', lessThan: '<', atMost: '<=' } as const;

/** A condition that is true for the events that match. */
export function matchCondition(
  statement: Statement,
  { name, filters }: EventMatch,
  field: readonly string[],
): string {
  if ((filters?.length ?? 0) > FILTERS_MAX)
    return reject('BAD_USER_INPUT', {
      field: [...field, 'filters'],
      message: `filters must have at most ${FILTERS_MAX} items.`,
    });
  const conditions = (filters ?? []).flatMap(filter => filterConditions(statement, filter, field));
  if (name != null) conditions.unshift(nameCondition(statement, name));
  return conditions.length === 0 ? 'true' : `(${conditions.join(' AND ')})`;
}

/** A condition that ClickHouse can look up in the sort order, for events that match one of several. */
export function namesCondition(statement: Statement, matches: readonly EventMatch[]): string {
  const names = matches.map(({ name }) => name);
  if (names.some(name => name == null)) return 'true';
  const bound = statement.bind('Array(String)', names as string[]);
  return `(event IN ${bound} OR (event = '' AND name IN ${bound}))`;
}

/** As `if(event != '', event, name) = …`, which ClickHouse could not look up in the sort order. */
function nameCondition(statement: Statement, name: string): string {
  requireText(name);
  if (name === '') return `(event = '' AND name = '')`;
  const bound = statement.bind('String', name);
  return `(event = ${bound} OR (event = '' AND name = ${bound}))`;
}

function filterConditions(
  statement: Statement,
  filter: EventPropertyFilter,
  field: readonly string[],
): string[] {
  const { property, equals, in: values, exists } = filter;
  const conditions: string[] = [];
  if (equals != null) {
    requireText(equals);
    conditions.push(
      `ifNull(${textOf(statement, property)} = ${statement.bind('String', equals)}, 0)`,
    );
  }
  if (values != null) {
    if (values.length > FILTER_VALUES_MAX)
      reject('BAD_USER_INPUT', {
        field: [...field, 'filters', 'in'],
        message: `\`in\` must have at most ${FILTER_VALUES_MAX} items.`,
      });
    for (const value of values) requireText(value);
    const bound = statement.bind('Array(String)', values);
    conditions.push(`ifNull(has(${bound}, ${textOf(statement, property)}), 0)`);
  }
  if (exists != null)
    conditions.push(`${exists ? '' : 'NOT '}${existsCondition(statement, property)}`);
  for (const [name, sign] of Object.entries(COMPARISONS)) {
    const limit = filter[name as keyof typeof COMPARISONS];
    if (limit == null) continue;
    const number = numberOf(statement, property);
    conditions.push(`ifNull(${number} ${sign} ${statement.bind('Float64', limit)}, 0)`);
  }
  if (conditions.length === 0)
    reject('BAD_USER_INPUT', {
      field: [...field, 'filters'],
      message: 'A filter must have at least one condition, such as `equals`.',
    });
  return conditions;
}

/**
 * The value as Nullable(String): the text of a string, a number or a Boolean. Null if there is no value,
 * or if it is null, an object or a list.
 */
export function textOf(statement: Statement, property: EventProperty): string {
  if (property.column != null) return columnOf(property);
  const raw = rawOf(statement, property);
  return `multiIf(startsWith(${raw}, '"'), JSONExtractString(${raw}),
    ${raw} IN ('', 'null') OR substring(${raw}, 1, 1) IN ('{', '['), NULL, ${raw})`;
}

/** The value as Nullable(Float64). Null if it is not a number; a string of digits is not one. */
export function numberOf(statement: Statement, property: EventProperty): string {
  if (property.column != null)
    return reject('BAD_USER_INPUT', {
      message: 'A number must come from `properties` or `context`, because columns contain text.',
    });
  return `toFloat64OrNull(${rawOf(statement, property)})`;
}

function existsCondition(statement: Statement, property: EventProperty): string {
  if (property.column != null) return `(${columnOf(property)} IS NOT NULL)`;
  return `(${rawOf(statement, property)} NOT IN ('', 'null'))`;
}

/** SDK keys and properties are UUIDs. Without a property, `property_id` is all zeros. */
function columnOf(property: EventProperty): string {
  requireOne(property);
  const column = EVENT_COLUMNS.find(name => name === property.column)!;
  if (column === 'sdk_key_id') return 'toNullable(toString(sdk_key_id))';
  if (column === 'property_id')
    return `if(property_id = toUUID('00000000-0000-0000-0000-000000000000'), NULL, toString(property_id))`;
  return `nullIf(toString(${column}), '')`;
}

/** The JSON text of the value; empty if there is none. */
function rawOf(statement: Statement, property: EventProperty): string {
  requireOne(property);
  const isContext = property.context != null;
  const keys = (isContext ? property.context : property.properties) ?? [];
  if (keys.length === 0 || keys.length > PATH_KEYS_MAX)
    return reject('BAD_USER_INPUT', {
      message: `A path must have 1 to ${PATH_KEYS_MAX} keys.`,
    });
  for (const key of keys) requireText(key);
  const path = keys.map(key => statement.bind('String', key));
  return `JSONExtractRaw(${isContext ? 'context' : 'properties'}, ${path.join(', ')})`;
}

function requireOne({ column, properties, context }: EventProperty): void {
  if ([column, properties, context].filter(one => one != null).length !== 1)
    reject('BAD_USER_INPUT', {
      message: 'A property must have exactly one of `column`, `properties` and `context`.',
    });
}
