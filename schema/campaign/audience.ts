// The audience rule of a campaign: comparisons of a contact's traits, combined with and/or/not.
// Comparisons are typed: the number 5 does not equal the text '5'. A missing or null trait matches
// only `ne` and `exists: false`.

import { z } from 'zod';
import { parseInstant } from '../values/instant.ts';
import { text } from '../values/text.ts';

type Scalar = string | number | boolean;

export type Comparison =
  | {
      readonly trait: string;
      readonly operator: 'eq' | 'ne' | 'contains';
      readonly value: Scalar;
    }
  | {
      readonly trait: string;
      readonly operator: 'gt' | 'gte' | 'lt' | 'lte';
      /** A number, or an ISO 8601 time if the trait is a time. */
      readonly value: number | string;
    }
  | { readonly trait: string; readonly operator: 'in'; readonly value: readonly Scalar[] }
  | { readonly trait: string; readonly operator: 'exists'; readonly value: boolean };

export type Audience =
  | Comparison
  | { readonly and: readonly Audience[] }
  | { readonly or: readonly Audience[] }
  | { readonly not: Audience };

export type Traits = Readonly<Record<string, unknown>>;

/** The rule is evaluated for each request and campaign, and an operator must be able to read it. */
export const COMPARISONS_MAX = 100;
export const AUDIENCE_LEVELS_MAX = 8;
const PATH_CHARACTERS_MAX = 256;
const VALUES_MAX = 200;

const path = text(PATH_CHARACTERS_MAX).refine(value => !value.split('.').includes(''), {
  error: 'must be the name of a trait, or names separated by dots.',
});
const scalar = z.union([text(), z.number(), z.boolean()], {
  error: 'must be a string, a number, true or false.',
});
const ordered = z.union([z.number(), z.string().refine(isInstant)], {
  error: 'must be a number or an ISO 8601 time.',
});
const comparisonSchema = z.discriminatedUnion('operator', [
  z.strictObject({ trait: path, operator: z.enum(['eq', 'ne', 'contains']), value: scalar }),
  z.strictObject({ trait: path, operator: z.enum(['gt', 'gte', 'lt', 'lte']), value: ordered }),
  z.strictObject({
    trait: path,
    operator: z.literal('in'),
    value: z.array(scalar).min(1).max(VALUES_MAX),
  }),
  z.strictObject({ trait: path, operator: z.literal('exists'), value: z.boolean() }),
]);

export const audienceSchema = z.unknown().transform((value, context): Audience => {
  const faults: Fault[] = [];
  const comparisons = check(value, [], 1, faults);
  if (comparisons > COMPARISONS_MAX)
    faults.push({ path: [], message: `has more than ${COMPARISONS_MAX} comparisons.` });
  for (const fault of faults) context.addIssue({ code: 'custom', ...fault });
  return value as Audience;
});

/** Compiles an audience to a function. The audience must have passed `audienceSchema`. */
export function compileAudience(audience: Audience): (traits: Traits) => boolean {
  if ('and' in audience) {
    const parts = audience.and.map(compileAudience);
    return traits => parts.every(matches => matches(traits));
  }
  if ('or' in audience) {
    const parts = audience.or.map(compileAudience);
    return traits => parts.some(matches => matches(traits));
  }
  if ('not' in audience) {
    const matches = compileAudience(audience.not);
    return traits => !matches(traits);
  }
  const read = readerOf(audience.trait);
  const holds = compileComparison(audience);
  return traits => holds(read(traits));
}

type Found = string | number | boolean | object | undefined;

function compileComparison(comparison: Comparison): (found: Found) => boolean {
  const { operator, value } = comparison;
  switch (operator) {
    case 'eq':
      return found => found === value;
    case 'ne':
      return found => found !== value;
    case 'exists':
      return found => (found !== undefined) === value;
    case 'in': {
      const values = new Set<Found>(value);
      return found => values.has(found);
    }
    case 'contains':
      return found =>
        typeof found === 'string'
          ? typeof value === 'string' && found.includes(value)
          : Array.isArray(found) && found.includes(value);
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return compileOrder(operator, value);
  }
}

function compileOrder(
  operator: 'gt' | 'gte' | 'lt' | 'lte',
  value: number | string,
): (found: Found) => boolean {
  const bound = typeof value === 'number' ? value : (parseInstant(value)?.ms ?? Number.NaN);
  // A trait of the other type becomes NaN, which matches no comparison.
  const place = (found: Found) => {
    if (typeof found !== typeof value) return Number.NaN;
    return typeof found === 'string' ? (parseInstant(found)?.ms ?? Number.NaN) : (found as number);
  };
  switch (operator) {
    case 'gt':
      return found => place(found) > bound;
    case 'gte':
      return found => place(found) >= bound;
    case 'lt':
      return found => place(found) < bound;
    case 'lte':
      return found => place(found) <= bound;
  }
}

/** A trait whose name contains dots takes precedence over a nested one. Null counts as missing. */
function readerOf(path: string): (traits: Traits) => Found {
  const names = path.split('.');
  if (names.length === 1) return traits => own(traits, path);
  return traits => {
    let found: Found = own(traits, path);
    if (found !== undefined) return found;
    found = traits;
    for (const name of names) {
      found = own(found, name);
      if (found === undefined) return undefined;
    }
    return found;
  };
}

/** Reads own members only, such as neither the length of a list nor the constructor of an
 * object. */
function own(value: Found, name: string): Found {
  if (typeof value !== 'object' || Array.isArray(value) || !Object.hasOwn(value, name))
    return undefined;
  return ((value as Traits)[name] as Found | null) ?? undefined;
}

type Fault = { readonly path: (string | number)[]; readonly message: string };

/** Returns the number of comparisons and appends any faults. */
function check(value: unknown, at: Fault['path'], level: number, faults: Fault[]): number {
  const fault = (message: string) => {
    faults.push({ path: at, message });
    return 0;
  };
  if (faults.length > 0) return 0;
  if (level > AUDIENCE_LEVELS_MAX)
    return fault(`is nested deeper than ${AUDIENCE_LEVELS_MAX} levels.`);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return fault(SHAPES);
  const keys = Object.keys(value);
  const joined = keys.length === 1 ? keys[0]! : '';
  const inner: unknown = (value as Record<string, unknown>)[joined];
  if (joined === 'not') return check(inner, [...at, 'not'], level + 1, faults);
  if (joined !== 'and' && joined !== 'or') return checkComparison(value, at, faults);
  if (!Array.isArray(inner) || inner.length === 0 || inner.length > COMPARISONS_MAX)
    return fault(`${joined} must be a list of 1 to ${COMPARISONS_MAX} conditions.`);
  let comparisons = 0;
  for (const [index, part] of inner.entries())
    comparisons += check(part, [...at, joined, index], level + 1, faults);
  return comparisons;
}

function checkComparison(value: object, at: Fault['path'], faults: Fault[]): number {
  const parsed = comparisonSchema.safeParse(value);
  if (parsed.success) return 1;
  const { path: inside, code, message } = parsed.error.issues[0]!;
  if (code === 'unrecognized_keys' || !('operator' in value)) {
    faults.push({ path: at, message: SHAPES });
    return 0;
  }
  const names = inside.filter(name => typeof name !== 'symbol');
  faults.push({ path: [...at, ...names], message });
  return 0;
}

const SHAPES = 'must be {"trait", "operator", "value"}, {"and": […]}, {"or": […]} or {"not": {…}}.';

function isInstant(value: string): boolean {
  return parseInstant(value) !== undefined;
}
