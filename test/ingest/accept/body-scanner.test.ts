// The scanner accepts the same bodies as JSON.parse, and measures them like a simple implementation
// of the spec.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bodyScanner, MalformedJson } from '../../../ingest/accept/body-scanner.ts';
import { parseObject } from '../../../ingest/accept/parse-object.ts';
import { EMPTY } from '../../../ingest/accept/scan/layout.ts';
import { BODY_BYTES_MAX } from '../../../ingest/limits.ts';

/** For hundreds of thousands of runs. */
const TIMEOUT_MS = 1_800_000;
const RUNS = process.env.TEST_LONG === '1' ? 200_000 : 5_000;

function isAccepted(text: string): boolean {
  try {
    return bodyScanner.scanObject(Buffer.from(text)) !== EMPTY;
  } catch (error) {
    if (error instanceof MalformedJson) return false;
    throw error;
  }
}

/** Returns the first limit that a value exceeds. */
function breachOf(value: string): string | undefined {
  const object = parseObject(Buffer.from(`{"value":${value}}`));
  return 'code' in object ? object.code : object.breach?.code;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const EDITS = Array.from('{}[]",:\\ue0-+.19tfn/ \n\t\u0000\u007fé\u{1f600}');

/** JSON texts with a few characters inserted, removed or duplicated. */
const nearlyJson = fc
  .tuple(
    fc.json({ maxDepth: 4, noUnicodeString: false }),
    fc.array(fc.tuple(fc.nat(), fc.constantFrom(...EDITS, '')), { maxLength: 3 }),
  )
  .map(([text, edits]) => {
    let edited = text;
    for (const [where, character] of edits) {
      const at = where % (edited.length + 1);
      edited = edited.slice(0, at) + character + edited.slice(at + (where % 2));
    }
    return edited.toWellFormed();
  });

it('accepts the same texts as JSON.parse', { timeout: TIMEOUT_MS }, () => {
  fc.assert(
    fc.property(nearlyJson, text => {
      expect(isAccepted(text)).toBe(isJson(text));
    }),
    { numRuns: RUNS },
  );
});

it.each([
  '0',
  '-0',
  '1e5',
  '1E+5',
  '1.5e-3',
  '-1.0',
  '""',
  '"\\u0000\\ud800"',
  '[]',
  '{}',
  ' [ 1 , {"a" : null } ] ',
  'true',
  '"\u007f"',
  '{"":0}',
])('accepts %j', text => {
  expect(isAccepted(text)).toBe(true);
});

it.each([
  '',
  ' ',
  '01',
  '-',
  '+1',
  '1.',
  '.5',
  '1e',
  '0x1',
  'NaN',
  'Infinity',
  "'a'",
  '"a',
  '"\t"',
  '"\\x"',
  '"\\u12g4"',
  '[1,]',
  '[,1]',
  '{"a"}',
  '{"a":}',
  '{a:1}',
  '{"a":1,}',
  '[1 2]',
  '[1}',
  '{"a":1]',
  'tru',
  'nullx',
  '1 2',
  '\ufeff1',
  '\u00a01',
  '[',
  '{"a":',
  '"\\',
])('refuses %j', text => {
  expect(isAccepted(text)).toBe(false);
});

it('accepts nesting deeper than any stack', () => {
  const deep = 150_000;
  expect(isAccepted('['.repeat(deep) + ']'.repeat(deep))).toBe(true);
  expect(isAccepted(`${'{"a":'.repeat(deep / 2)}1${'}'.repeat(deep / 2)}`)).toBe(true);
  expect(isAccepted('['.repeat(deep))).toBe(false);
});

describe('the limits', () => {
  type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

  const depth = (value: Json): number => {
    if (value === null || typeof value !== 'object') return 0;
    return 1 + Math.max(0, ...Object.values(value).map(depth));
  };
  const strings = (value: Json): string[] => {
    if (typeof value === 'string') return [value];
    return value !== null && typeof value === 'object' ? Object.values(value).flatMap(strings) : [];
  };
  const keys = (value: Json): string[] => {
    if (value === null || typeof value !== 'object') return [];
    const own = Array.isArray(value) ? [] : Object.keys(value);
    return [...own, ...Object.values(value).flatMap(keys)];
  };
  /** The output of JSON.stringify, optionally with every character of its strings escaped. */
  const escaped = (text: string) =>
    text.replace(/[a-z\u0080-\uffff]/g, c => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);

  const long = fc.constantFrom('', 'k', 'é', '\u{1f600}', 'e\u0301').chain(piece => {
    const near = fc.constantFrom(
      1,
      255,
      256,
      257,
      3_413,
      3_414,
      5_120,
      5_121,
      10_240,
      10_241,
      2_560,
      2_561,
    );
    return near.map(count => piece.repeat(count));
  });
  const tree = fc.letrec<{ value: Json }>(tie => ({
    value: fc.oneof(
      { maxDepth: 7 },
      long,
      fc.integer(),
      fc.array(tie('value'), { maxLength: 2 }),
      fc.dictionary(long, tie('value'), { maxKeys: 2 }),
    ),
  })).value;

  it('equal the contract’s limits, with any escapes in the text', { timeout: TIMEOUT_MS }, () => {
    fc.assert(
      fc.property(fc.dictionary(long, tree, { maxKeys: 3 }), fc.boolean(), (value, isEscaped) => {
        const json = JSON.stringify(value);
        const text = isEscaped ? `{${escaped(json.slice(1))}` : json;
        fc.pre(text.length < BODY_BYTES_MAX / 3);
        const expected = new Set<string | undefined>();
        if (depth(value as Json) > 5) expected.add('NESTING_TOO_DEEP');
        if (keys(value as Json).some(key => Array.from(key).length > 256))
          expected.add('KEY_TOO_LONG');
        if (strings(value as Json).some(leaf => Buffer.byteLength(leaf) > 10_240))
          expected.add('VALUE_TOO_LARGE');
        if (expected.size === 0) expected.add(undefined);
        expect([...expected]).toContain(breachOf(text));
      }),
      { numRuns: RUNS / 10 },
    );
  });
});
