import { expect, test } from 'vitest';
import { jsonLines } from '../../../console/pieces/json/json-lines.ts';
import { type JsonMark, markLine } from '../../../console/pieces/json/mark-line.ts';

function textOf(json: string, mark?: JsonMark): string[] {
  return markLine(jsonLines(json), mark).map(({ depth, pieces, note, isMissing }) => {
    const text = ' '.repeat(depth) + pieces.map(piece => piece.text).join('');
    return note === undefined ? text : `${text} <- ${isMissing ? 'missing: ' : ''}${note}`;
  });
}

test('formats the JSON without changing digits or escapes', () => {
  const sent = String.raw`{"a":12345678901234567890,"a":1.50,"b":"\u00e9 \"x\", {y}","c":[],"d":{ },"e":[{"f":null},[true]]}`;
  expect(textOf(sent)).toEqual([
    '{',
    ' "a": 12345678901234567890,',
    ' "a": 1.50,',
    String.raw` "b": "\u00e9 \"x\", {y}",`,
    ' "c": [],',
    ' "d": {},',
    ' "e": [',
    '  {',
    '   "f": null',
    '  },',
    '  [',
    '   true',
    '  ]',
    ' ]',
    '}',
  ]);
});

test('ends where a text was truncated, and shows invalid JSON', () => {
  expect(textOf('{"a":{"b":"half a wo')).toEqual(['{', ' "a": {', '  "b": "half a wo']);
  expect(textOf('hello')).toEqual(['hello']);
  expect(textOf('')).toEqual([]);
});

test('marks a value by its path, through objects and lists', () => {
  const mark = { path: ['items', '1', 'sku'], note: 'here' };
  expect(textOf('{"items":[{"sku":1},{"sku":2}]}', mark)[6]).toBe('   "sku": 2 <- here');
});

test('shows where a value is missing, at the end of no object as well', () => {
  const mark = { path: ['payload', 'score'], note: 'must be' };
  expect(textOf('{"payload":{"x":1}}', mark)).toEqual([
    '{',
    ' "payload": {',
    '  "score" <- missing: must be',
    '  "x": 1',
    ' }',
    '}',
  ]);
  expect(textOf('{}', { path: ['type'], note: 'must be' })).toEqual([
    '{}',
    ' "type" <- missing: must be',
  ]);
});
