// Parameters inlined into a statement have the same values in ClickHouse.

import { expect, test } from 'vitest';
import { inlineParameters } from '../../../graphql-api/insights/inline-parameters.ts';
import { createRandom } from '../../harness/random.ts';
import { rows } from '../../harness/warehouse.ts';

const TEXTS = [
  '',
  "it's",
  '\\',
  "\\'",
  '\\n is not \n',
  '\t\r\b\f\v\u0007\u001b',
  '"`“”',
  '{p1:String}',
  '$1 $& %27 %s',
  "') OR 1=1 --",
  '/* */ -- # ;',
  '注文 ✓ \u{1F600} e\u0301',
  '\u2028\u2029\ufeff',
];

test.for(TEXTS)('the text %j', async text => {
  const query = inlineParameters('SELECT {a:String} AS one, {b:Array(String)} AS several', {
    a: text,
    b: [text, "',", text],
  });
  expect(await rows(query)).toEqual([{ one: text, several: [text, "',", text] }]);
});

test('random texts', async () => {
  const random = createRandom(5);
  const characters = ["'", '\\', '"', '\n', '\t', 'x', '0', '{', '}', ':', '✓', 'n', '`', '%'];
  const texts = Array.from({ length: 500 }, () =>
    Array.from({ length: random.below(12) }, () => random.pick(characters)).join(''),
  );
  const query = inlineParameters('SELECT {texts:Array(String)} AS texts', { texts });
  expect(await rows(query)).toEqual([{ texts }]);
});

test('numbers and IDs keep their types', async () => {
  const query = inlineParameters(
    `SELECT {a:Int64} AS a, {b:Float64} AS b, {c:UUID} AS c, {d:Array(UInt32)} AS d, {e:Float64} AS e,
            [toTypeName(a), toTypeName(b), toTypeName(c), toTypeName(d)] AS types`,
    { a: -5, b: 1e21, c: '019aa0f1-4b7c-7c51-9f0e-2f6d5b8f9a10', d: [], e: -0.25 },
  );
  expect(await rows(query)).toEqual([
    {
      a: -5,
      b: 1e21,
      c: '019aa0f1-4b7c-7c51-9f0e-2f6d5b8f9a10',
      d: [],
      e: -0.25,
      types: ['Int64', 'Float64', 'UUID', 'Array(UInt32)'],
    },
  ]);
});

test('a missing parameter is a defect', () => {
  expect(() => inlineParameters('SELECT {a:String}', {})).toThrow('no parameter a');
});
