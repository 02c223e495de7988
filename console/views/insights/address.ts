// What is chosen for a report, as text in the address.

import {
  ANY_EVENT,
  type EventDraft,
  FILTERS_MAX,
  type FilterDraft,
  OPERATORS,
  type Operator,
} from '../../pieces/event-match/event-draft.ts';
import type { ChosenRange } from '../../pieces/range/range.ts';

export type Pairs = readonly (readonly [name: string, value: string])[];

/** Reads the settings of a report from the address, and writes them into it. */
export type Codec<Settings> = {
  readonly read: (params: URLSearchParams) => Settings;
  /** Without defaults, so that addresses stay short. */
  readonly write: (settings: Settings) => Pairs;
};

export function readRange(params: URLSearchParams): ChosenRange {
  return { name: params.get('range'), from: params.get('from'), to: params.get('to') };
}

export function writeRange({ name, from, to }: ChosenRange): Pairs {
  return pairsOf({ range: name, from, to });
}

/** Null and empty values are omitted. */
export function pairsOf(values: Readonly<Record<string, string | null>>): Pairs {
  return Object.entries(values).flatMap(([name, value]) =>
    value === null || value === '' ? [] : [[name, value] as const],
  );
}

/** One of these, or the first in the place of an unknown value. */
export function oneOf<Value extends string>(values: readonly Value[], text: string | null): Value {
  return values.find(value => value === text) ?? values[0]!;
}

/** The name, or JSON for an event with filters. */
export function eventText({ name, filters }: EventDraft): string {
  if (filters.length === 0 && !name.startsWith('{')) return name;
  return JSON.stringify({
    name,
    filters: filters.map(({ property, operator, values }) => [property, operator, ...values]),
  });
}

export function eventOf(text: string): EventDraft {
  if (!text.startsWith('{')) return { ...ANY_EVENT, name: text };
  try {
    const { name, filters } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    const found = Array.isArray(filters) ? filters.map(filterOf) : [];
    return {
      name: typeof name === 'string' ? name : '',
      filters: found.filter(filter => filter !== undefined).slice(0, FILTERS_MAX),
    };
  } catch {
    return { ...ANY_EVENT, name: text };
  }
}

function filterOf(list: unknown): FilterDraft | undefined {
  if (!Array.isArray(list)) return undefined;
  const [property = '', operator = '', ...values] = list.map(String);
  return operator in OPERATORS ? { property, operator: operator as Operator, values } : undefined;
}
