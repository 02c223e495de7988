// An event in the rule of a segment, which has the field names of the REST API.

import {
  type EventDraft,
  type FilterDraft,
  type MatchFilter,
  matchOf,
  type Operator,
} from '../../../pieces/event-match/event-draft.ts';
import { type EventColumn, propertyText } from '../../../pieces/event-match/property-text.ts';

type Fields = Readonly<Record<string, unknown>>;

const REST_NAMES: Readonly<Record<string, Operator>> = {
  equals: 'equals',
  in: 'in',
  exists: 'exists',
  greater_than: 'greaterThan',
  at_least: 'atLeast',
  less_than: 'lessThan',
  at_most: 'atMost',
};

/** Only for a draft without faults. */
export function restOf(draft: EventDraft): unknown {
  const { filters, ...same } = matchOf(draft);
  return { ...same, ...(filters && { filters: filters.map(restFilter) }) };
}

function restFilter({ property, ...condition }: MatchFilter): unknown {
  const [operator, value] = Object.entries(condition)[0]!;
  const name = Object.entries(REST_NAMES).find(([, one]) => one === operator)![0];
  const { column } = property;
  return {
    property: column === undefined ? property : { column: column.toLowerCase() },
    [name]: value,
  };
}

/** Undefined if the form has no fields for a part of it. */
export function eventOfRest(value: unknown): EventDraft | undefined {
  const { name, filters } = (value ?? {}) as Fields;
  const found = Array.isArray(filters) ? filters.map(filterOfRest) : [];
  if (found.some(filter => filter === undefined)) return undefined;
  return { name: typeof name === 'string' ? name : '', filters: found as FilterDraft[] };
}

function filterOfRest(value: unknown): FilterDraft | undefined {
  const { property, ...conditions } = (value ?? {}) as Fields;
  const [condition, ...others] = Object.entries(conditions).filter(([, one]) => one != null);
  const operator = REST_NAMES[condition?.[0] ?? ''];
  const text = propertyOfRest((property ?? {}) as Fields);
  if (condition === undefined || operator === undefined || others.length > 0) return undefined;
  if (text === undefined) return undefined;
  const given = condition[1];
  if (operator === 'exists')
    return { property: text, operator: given === true ? 'exists' : 'missing', values: [] };
  const values: unknown[] = Array.isArray(given) ? given : [given];
  return { property: text, operator, values: values.map(String) };
}

function propertyOfRest({ column, properties, context }: Fields): string | undefined {
  if (typeof column === 'string')
    return propertyText({ column: column.toUpperCase() as EventColumn });
  if (Array.isArray(properties)) return propertyText({ properties: properties.map(String) });
  return Array.isArray(context) ? propertyText({ context: context.map(String) }) : undefined;
}
