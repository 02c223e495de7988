import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  correctEvent,
  correctionContract,
} from '../../../../graphql-api/events/replay/correct-event.ts';
import { membersOf, objectOf } from '../../../../graphql-api/events/replay/json-members.ts';

const FACTS = {
  received_at: '2026-05-01T12:00:00.000Z',
  sent_at: '2026-05-01T11:59:59Z',
  derived: '00000000-0000-8000-8000-000000000000',
};

const correct = (body: string, correction: object) =>
  correctEvent(body, correctionContract.parse(correction), FACTS);

describe('a correction', () => {
  test.each([
    ['sets a field', '{"a":1}', { set: { b: [2, null] } }, '{"a":1,"b":[2,null]}'],
    ['replaces a field', '{"a":1,"b":2}', { set: { a: 'x' } }, '{"b":2,"a":"x"}'],
    [
      'sets one deeper down',
      '{"p":{"a":1.0}}',
      { set: { 'p.b': true } },
      '{"p":{"a":1.0,"b":true}}',
    ],
    ['makes what is missing on the way', '{}', { set: { 'p.q.r': 1 } }, '{"p":{"q":{"r":1}}}'],
    ['drops a field', '{"a":1,"b":2}', { drop: ['a'] }, '{"b":2}'],
    ['drops one deeper down', '{"p":{"a":1,"b":2}}', { drop: ['p.a'] }, '{"p":{"b":2}}'],
    ['drops nothing that is not there', '{"a": 1}', { drop: ['b', 'p.q'] }, '{"a": 1}'],
    [
      'renames a field',
      '{"user_id":"u","x":1}',
      { rename: { user_id: 'userId' } },
      '{"userId":"u","x":1}',
    ],
    ['renames to no taken name', '{"a":1,"b":2}', { rename: { a: 'b' } }, '{"a":1,"b":2}'],
    ['renames nothing that is not there', '{"a": 1}', { rename: { b: 'c' } }, '{"a": 1}'],
    ['fills what is missing', '{"a":1}', { fill: { a: 2, b: 3 } }, '{"a":1,"b":3}'],
    ['fills what is null', '{"a":null}', { fill: { a: 2 } }, '{"a":2}'],
    ['renames before it sets', '{"a":1}', { rename: { a: 'b' }, set: { a: 2 } }, '{"b":1,"a":2}'],
    ['drops every copy of a field', '{"a":1,"b":2,"a":3}', { drop: ['a'] }, '{"b":2}'],
    ['knows an escaped name', '{"\\u0061":1}', { drop: ['a'] }, '{}'],
  ])('%s', (_what, body, correction, expected) => {
    expect(correct(body, correction)).toBe(expected);
  });

  test('can refer to known facts about the event', () => {
    const set = { a: '@received_at', b: '@sent_at', c: '@derived', d: '@@d', e: 'e@f' };
    expect(JSON.parse(correct('{}', { set })!)).toEqual({
      a: FACTS.received_at,
      b: FACTS.sent_at,
      c: FACTS.derived,
      d: '@d',
      e: 'e@f',
    });
  });

  test('leaves the rest unchanged, byte for byte', () => {
    const rest =
      '"n": 1E2 ,"big":12345678901234567890, "s":"\\u00e9\\/ , } \\" ","l":[ 1 , {"x":"]"} ]';
    expect(correct(`{ ${rest},"timestamp" : "soon" }`, { set: { timestamp: 't' } })).toBe(
      '{"n":1E2,"big":12345678901234567890,"s":"\\u00e9\\/ , } \\" ","l":[ 1 , {"x":"]"} ],"timestamp":"t"}',
    );
  });

  test.each(['[]', '"text"', '7', 'null', '{"a":', ''])(
    'cannot be applied to %s, which is not an event',
    body => {
      expect(correct(body, { set: { a: 1 } })).toBeUndefined();
    },
  );

  test('cannot be applied through a value that is not an object', () => {
    expect(correct('{"p":[1]}', { set: { 'p.a': 1 } })).toBeUndefined();
  });

  test.each([
    { set: { a: '@now' } },
    { set: { '': 1 } },
    { set: { 'a..b': 1 } },
    { set: { 'a.b.c.d.e.f': 1 } },
    { rename: { a: '' } },
    { drop: [1] },
    { colour: 'red' },
    { drop: Array.from({ length: 21 }, (_, i) => `a${i}`) },
  ])('%j is refused', correction => {
    expect(correctionContract.safeParse(correction).success).toBe(false);
  });
});

test('members with similar names are distinguished', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(3), (object, indent) => {
      const text = JSON.stringify(object, null, indent);
      const members = membersOf(text)!;
      const read = members.map(({ key, valueText }) => [key, JSON.parse(valueText)]);
      expect(read).toEqual(Object.entries(JSON.parse(text) as object));
      expect(JSON.parse(objectOf(members))).toEqual(JSON.parse(text));
    }),
  );
});
