import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  AUDIENCE_CONDITIONS_MAX,
  AUDIENCE_LEVELS_MAX,
  type Audience,
  type AudiencePerson,
  audienceSchema,
  type Comparison,
  compileAudience,
  segmentsOf,
  type Traits,
} from '../../../schema/campaign/audience.ts';

const is = (operator: string, value: unknown, trait = 'x') => ({ trait, operator, value });

function matches(audience: unknown, traits: Traits): boolean {
  return compileAudience(audienceSchema.parse(audience))({ traits, segmentIds: new Set() });
}

describe('comparisons', () => {
  test.each<[operator: string, value: unknown, trait: unknown, expected: boolean]>([
    ['eq', 'pro', 'pro', true],
    ['eq', 'pro', 'Pro', false],
    ['eq', 5, '5', false],
    ['eq', 5, 5, true],
    ['eq', true, 'true', false],
    ['eq', 'a', ['a'], false],
    ['ne', 'pro', 'free', true],
    ['ne', 'pro', 'pro', false],
    ['ne', 5, '5', true],
    ['gt', 5, 5, false],
    ['gt', 5, 5.01, true],
    ['gt', 5, '6', false],
    ['gte', 5, 5, true],
    ['lt', 5, 4, true],
    ['lt', 5, '4', false],
    ['lte', 5, 5, true],
    ['lte', 5, true, false],
    ['gt', '2026-01-01', '2026-01-01T00:00:00.001Z', true],
    ['gt', '2026-01-01', '2025-12-31T23:30:00-01:00', true],
    ['lt', '2026-01-01', '2025-06-01', true],
    ['lt', '2026-01-01', 'yesterday', false],
    ['gt', '2026-01-01', 1_900_000_000_000, false],
    ['contains', 'ell', 'hello', true],
    ['contains', 'Ell', 'hello', false],
    ['contains', 'gold', ['silver', 'gold'], true],
    ['contains', 2, [1, 2], true],
    ['contains', '2', [1, 2], false],
    ['contains', 2, 'a2', false],
    ['contains', 'a', { a: 1 }, false],
    ['in', ['a', 1], 1, true],
    ['in', ['a', 1], '1', false],
    ['in', ['a', 1], ['a'], false],
    ['exists', true, '', true],
    ['exists', true, false, true],
    ['exists', true, {}, true],
    ['exists', false, 0, false],
  ])('%s %j of %j: %s', (operator, value, trait, expected) => {
    expect(matches(is(operator, value), { x: trait })).toBe(expected);
  });

  test.each([{}, { x: null }, { y: 1 }])(
    'a missing trait matches only ne and exists: false (%j)',
    traits => {
      for (const operator of ['eq', 'contains'])
        expect(matches(is(operator, 'a'), traits)).toBe(false);
      for (const operator of ['gt', 'gte', 'lt', 'lte'])
        expect(matches(is(operator, 0), traits)).toBe(false);
      expect(matches(is('in', ['a', 0]), traits)).toBe(false);
      expect(matches(is('exists', true), traits)).toBe(false);
      expect(matches(is('ne', 'a'), traits)).toBe(true);
      expect(matches(is('exists', false), traits)).toBe(true);
    },
  );

  test('a path leads into objects, but a trait with the same name has precedence', () => {
    expect(matches(is('eq', 'Pune', 'address.city'), { address: { city: 'Pune' } })).toBe(true);
    const both = { 'address.city': 'Goa', address: { city: 'Pune' } };
    expect(matches(is('eq', 'Goa', 'address.city'), both)).toBe(true);
    expect(matches(is('exists', true, 'address.city.x'), both)).toBe(false);
    expect(matches(is('exists', true, 'list.0'), { list: ['a'] })).toBe(false);
    expect(matches(is('exists', true, 'text.length'), { text: 'a' })).toBe(false);
  });

  test.each(['constructor', '__proto__', 'toString', 'constructor.name'])(
    'a built-in property of objects is not a trait: %s',
    trait => {
      expect(matches(is('exists', true, trait), {})).toBe(false);
    },
  );
});

// A direct implementation of the operators, without compilation.
function reference(audience: Audience, person: AudiencePerson): boolean {
  if ('and' in audience) return !audience.and.some(part => !reference(part, person));
  if ('or' in audience) return audience.or.filter(part => reference(part, person)).length > 0;
  if ('not' in audience) return !reference(audience.not, person);
  if ('segment_id' in audience) return [...person.segmentIds].includes(audience.segment_id);
  const found = lookUp(person.traits, audience.trait);
  return holds(audience, found === null ? undefined : found);
}

function lookUp(traits: Traits, path: string): unknown {
  const direct = Object.entries(traits).find(([name]) => name === path)?.[1];
  if (direct !== undefined && direct !== null) return direct;
  const [first, ...rest] = path.split('.');
  const next = Object.entries(traits).find(([name]) => name === first)?.[1];
  if (rest.length === 0) return next;
  const isObject = typeof next === 'object' && next !== null && !Array.isArray(next);
  return isObject ? lookUpWalking(next as Traits, rest) : undefined;
}

function lookUpWalking(traits: Traits, [first, ...rest]: readonly string[]): unknown {
  const next = Object.entries(traits).find(([name]) => name === first)?.[1];
  if (rest.length === 0) return next;
  const isObject = typeof next === 'object' && next !== null && !Array.isArray(next);
  return isObject ? lookUpWalking(next as Traits, rest) : undefined;
}

function holds({ operator, value }: Comparison, found: unknown): boolean {
  if (operator === 'exists') return value ? found !== undefined : found === undefined;
  if (operator === 'ne') return found !== value;
  if (found === undefined) return false;
  if (operator === 'eq') return found === value;
  if (operator === 'in') return (value as unknown[]).some(one => one === found);
  if (operator === 'contains') {
    if (Array.isArray(found)) return found.some(one => one === value);
    return typeof found === 'string' && typeof value === 'string' && found.split(value).length > 1;
  }
  if (typeof found !== 'number' || typeof value !== 'number') return false;
  const sign = Math.sign(found - value);
  if (sign === 0) return operator.endsWith('e');
  return operator.startsWith(sign > 0 ? 'g' : 'l');
}

const NAMES = ['a', 'b', 'c', 'a.b', 'a.b.c', 'b.a'];
const scalar = fc.constantFrom('x', 'xy', 'y', 0, 1, 2, 1.5, true, false);
const trait = fc.constantFrom(...NAMES);
const comparison: fc.Arbitrary<Comparison> = fc.oneof(
  fc.record({
    trait,
    operator: fc.constantFrom('eq' as const, 'ne' as const, 'contains' as const),
    value: scalar,
  }),
  fc.record({
    trait,
    operator: fc.constantFrom('gt' as const, 'gte' as const, 'lt' as const, 'lte' as const),
    value: fc.constantFrom(0, 1, 1.5, 2),
  }),
  fc.record({
    trait,
    operator: fc.constant('in' as const),
    value: fc.array(scalar, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ trait, operator: fc.constant('exists' as const), value: fc.boolean() }),
);
const SEGMENTS = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];
const membership = fc.record({ segment_id: fc.constantFrom(...SEGMENTS) });
const { audience } = fc.letrec<{ audience: Audience }>(tie => ({
  audience: fc.oneof(
    { maxDepth: AUDIENCE_LEVELS_MAX - 1, depthSize: 'medium' },
    comparison,
    membership,
    fc.record({ and: fc.array(tie('audience'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ or: fc.array(tie('audience'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ not: tie('audience') }),
  ),
}));
const value = fc.oneof(scalar, fc.constant(null), fc.array(scalar, { maxLength: 3 }));
const traits = fc.dictionary(
  fc.constantFrom('a', 'b', 'c', 'a.b'),
  fc.oneof(value, fc.dictionary(fc.constantFrom('a', 'b'), value)),
);

const memberships = fc.subarray(SEGMENTS).map(ids => new Set(ids));

test('any audience of traits and memberships matches the reference', () => {
  fc.assert(
    fc.property(audience, fc.record({ traits, segmentIds: memberships }), (who, person) => {
      const parsed = audienceSchema.safeParse(who);
      fc.pre(parsed.success);
      expect(compileAudience(parsed.data!)(person)).toBe(reference(who, person));
    }),
    { numRuns: 3_000 },
  );
});

describe('invalid audiences', () => {
  test.each<[string, unknown, (string | number)[]]>([
    ['a text', 'everybody', []],
    ['null', null, []],
    ['a list', [is('eq', 1)], []],
    ['nothing in it', {}, []],
    ['another operator', is('like', 'a'), ['operator']],
    ['no value', { trait: 'x', operator: 'eq' }, ['value']],
    ['null as a value', is('eq', null), ['value']],
    ['a list where one value belongs', is('eq', ['a']), ['value']],
    ['one value where a list belongs', is('in', 'a'), ['value']],
    ['no values', is('in', []), ['value']],
    ['a bound that is no number and no time', is('gt', 'b'), ['value']],
    ['exists with a text', is('exists', 'yes'), ['value']],
    ['a trait without a name', is('eq', 1, ''), ['trait']],
    ['a path with a gap', is('eq', 1, 'a..b'), ['trait']],
    ['another member', { ...is('eq', 1), also: 1 }, []],
    ['an empty list', { and: [] }, []],
    ['two shapes at once', { and: [is('eq', 1)], or: [is('eq', 1)] }, []],
    [
      'a fault deep inside',
      { or: [is('eq', 1), { not: is('eq', {}) }] },
      ['or', 1, 'not', 'value'],
    ],
    ['a text too long', is('eq', 'a'.repeat(513)), ['value']],
    ['a NUL character', is('eq', '\u0000'), ['value']],
    ['a segment that is no UUID', { not: { segment_id: 'vip' } }, ['not', 'segment_id']],
    ['a segment and a trait in one', { ...is('eq', 1), segment_id: SEGMENTS[0] }, ['segment_id']],
  ])('%s', (_, given, path) => {
    const parsed = audienceSchema.safeParse(given);
    expect(parsed.error?.issues.map(issue => issue.path)).toEqual([path]);
    expect(parsed.error?.issues[0]?.message).toMatch(/./);
  });

  test('more levels than are allowed, and far more', () => {
    const nested = (levels: number): unknown =>
      levels === 1 ? is('eq', 1) : { not: nested(levels - 1) };
    expect(audienceSchema.safeParse(nested(AUDIENCE_LEVELS_MAX)).success).toBe(true);
    expect(audienceSchema.safeParse(nested(AUDIENCE_LEVELS_MAX + 1)).success).toBe(false);
    let endless: unknown = is('eq', 1);
    for (let level = 0; level < 100_000; level++) endless = { and: [endless] };
    expect(audienceSchema.safeParse(endless).success).toBe(false);
  });

  test('more conditions than are allowed, however they are nested', () => {
    const many = (count: number) => Array.from({ length: count }, () => is('eq', 1));
    const half = AUDIENCE_CONDITIONS_MAX / 2;
    expect(
      audienceSchema.safeParse({ or: [{ and: many(half) }, { and: many(half) }] }).success,
    ).toBe(true);
    expect(
      audienceSchema.safeParse({ or: [{ and: many(half) }, { and: many(half + 1) }] }).success,
    ).toBe(false);
    expect(audienceSchema.safeParse({ and: many(AUDIENCE_CONDITIONS_MAX + 1) }).success).toBe(
      false,
    );
  });
});

test('returns the segments that an audience names, each once', () => {
  const [first, second] = SEGMENTS.map(segment_id => ({ segment_id }));
  const rule = { or: [first, { not: { and: [second, is('eq', 1), first] } }] };
  expect(segmentsOf(audienceSchema.parse(rule))).toEqual(SEGMENTS);
});
