// The audience rule of a campaign: comparisons of a contact's traits, and memberships of segments,
// combined with and/or/not. Comparisons are typed: the number 5 does not equal the text '5'. A
// missing or null trait matches only `ne` and `exists: false`.

import { z } from 'zod';
import { parseInstant } from '../values/instant.ts';
import { text } from '../values/text.ts';
import { compileRule, conditionsOf, type Fault, type Rule, ruleSchema } from './rule.ts';

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

/** The person is a member of the segment. */
type Membership = { readonly segment_id: string };

export type Audience = Rule<Comparison | Membership>;

export type Traits = Readonly<Record<string, unknown>>;

/** The person for whom an audience is evaluated. */
export type AudiencePerson = {
  readonly traits: Traits;
  readonly segmentIds: ReadonlySet<string>;
};

/** The rule is evaluated for each request and campaign, and an operator must be able to read it. */
export const AUDIENCE_CONDITIONS_MAX = 100;
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

const membershipSchema = z.strictObject({ segment_id: z.uuid().lowercase() });

export const audienceSchema = ruleSchema<Comparison | Membership>({
  conditionsMax: AUDIENCE_CONDITIONS_MAX,
  levelsMax: AUDIENCE_LEVELS_MAX,
  shapes: '{"trait", "operator", "value"}, {"segment_id"}',
  faultOf: value => ('segment_id' in value ? membershipFault(value) : comparisonFault(value)),
});

/** Compiles an audience to a function. The audience must have passed `audienceSchema`. */
export function compileAudience(audience: Audience): (person: AudiencePerson) => boolean {
  return compileRule(audience, condition => {
    if ('segment_id' in condition) return ({ segmentIds }) => segmentIds.has(condition.segment_id);
    const holds = compileTrait(condition);
    return ({ traits }) => holds(traits);
  });
}

/** The segments whose members the audience names. */
export function segmentsOf(audience: Audience): string[] {
  const conditions = conditionsOf(audience);
  return [...new Set(conditions.flatMap(one => ('segment_id' in one ? one.segment_id : [])))];
}

/** The traits that comparisons read. A path is the name of a trait or leads into a trait. */
export function traitsOf(comparisons: readonly Comparison[]): string[] {
  const paths = comparisons.map(({ trait }) => trait);
  return [...new Set(paths.flatMap(path => [path, path.split('.')[0]!]))];
}

export function compileTrait(comparison: Comparison): (traits: Traits) => boolean {
  const read = readerOf(comparison.trait);
  const holds = compileComparison(comparison);
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

function membershipFault(value: object): Fault | undefined {
  return membershipSchema.safeParse(value).success
    ? undefined
    : {
        path: ['segment_id'],
        message: 'must be the UUID of a segment. The condition must not have other keys.',
      };
}

/** Null if the value does not have the shape of a comparison. */
export function comparisonFault(value: object): Fault | null | undefined {
  const parsed = comparisonSchema.safeParse(value);
  if (parsed.success) return undefined;
  const { path, code, message } = parsed.error.issues[0]!;
  if (code === 'unrecognized_keys' || !('operator' in value)) return null;
  return { path: path.filter(name => typeof name !== 'symbol'), message };
}

function isInstant(value: string): boolean {
  return parseInstant(value) !== undefined;
}
