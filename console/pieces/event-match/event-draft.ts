// The events that a report or a segment counts, as a form edits them.

import { type PropertyRef, propertyOf } from './property-text.ts';

export type EventDraft = {
  /** The name of the event, page or screen; empty if none is chosen. */
  readonly name: string;
  readonly filters: readonly FilterDraft[];
};

export type FilterDraft = {
  /** As `propertyOf` reads it. */
  readonly property: string;
  readonly operator: Operator;
  /** Several only with `in`. */
  readonly values: readonly string[];
};

export const OPERATORS = {
  equals: 'is',
  in: 'is one of',
  greaterThan: 'is more than',
  atLeast: 'is at least',
  lessThan: 'is less than',
  atMost: 'is at most',
  exists: 'has a value',
  missing: 'has no value',
} as const;

export type Operator = keyof typeof OPERATORS;

/** The maximum of the API for one event. */
export const FILTERS_MAX = 10;
/** The maximum of the API for one filter. */
export const VALUES_MAX = 50;

export const ANY_EVENT: EventDraft = { name: '', filters: [] };
export const NEW_FILTER: FilterDraft = { property: '', operator: 'equals', values: [] };

const NUMERIC: ReadonlySet<Operator> = new Set(['greaterThan', 'atLeast', 'lessThan', 'atMost']);

export const hasValue = (operator: Operator) => operator !== 'exists' && operator !== 'missing';

export type FilterFault = { readonly field: 'property' | 'value'; readonly message: string };

export function filterFault({ property, operator, values }: FilterDraft): FilterFault | undefined {
  if (propertyOf(property) === undefined)
    return { field: 'property', message: 'Choose a property' };
  if (!hasValue(operator)) return undefined;
  const [value = ''] = values;
  if (operator === 'in' && values.length === 0)
    return { field: 'value', message: 'Enter at least one value' };
  if (NUMERIC.has(operator) && (value.trim() === '' || !Number.isFinite(Number(value))))
    return { field: 'value', message: 'Enter a number' };
  return undefined;
}

export function isSound({ filters }: EventDraft): boolean {
  return filters.every(filter => filterFault(filter) === undefined);
}

export type Match = {
  readonly name?: string;
  readonly filters?: MatchFilter[];
};

export type MatchFilter = { readonly property: PropertyRef } & {
  readonly [name in Exclude<Operator, 'missing' | 'in' | 'equals' | 'exists'>]?: number;
} & { readonly equals?: string; readonly in?: string[]; readonly exists?: boolean };

/** For the API. Only for a draft without faults. */
export function matchOf({ name, filters }: EventDraft): Match {
  const trimmed = name.trim();
  return {
    ...(trimmed !== '' && { name: trimmed }),
    ...(filters.length > 0 && { filters: filters.map(filterOf) }),
  };
}

function filterOf({ property, operator, values }: FilterDraft): MatchFilter {
  const [value = ''] = values;
  return { property: propertyOf(property)!, ...conditionOf() };
  function conditionOf() {
    if (operator === 'exists' || operator === 'missing') return { exists: operator === 'exists' };
    if (operator === 'in') return { in: [...values] };
    if (operator === 'equals') return { equals: value };
    return { [operator]: Number(value) };
  }
}

/** For example “Order Completed, total is at least 100”. */
export function eventInWords({ name, filters }: EventDraft): string {
  const words = filters.map(({ property, operator, values }) =>
    [property, OPERATORS[operator], ...(hasValue(operator) ? [values.join(', ')] : [])].join(' '),
  );
  return [name.trim() === '' ? 'Any event' : name.trim(), ...words].join(', ');
}
