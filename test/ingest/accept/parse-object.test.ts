import { describe, expect, test } from 'vitest';
import { type ParsedObject, parseObject } from '../../../ingest/accept/parse-object.ts';
import { createRandom } from '../../harness/random.ts';

function parse(text: string | Uint8Array): ReturnType<typeof parseObject> {
  return parseObject(Buffer.from(text));
}

function parsed(text: string): ParsedObject {
  const result = parse(text);
  if ('code' in result) throw new Error(`${result.code}: ${result.message}`);
  return result;
}

const NONE = new Set<string>();

describe('values', () => {
  test('equal those of JSON.parse, with the bytes as sent', () => {
    const text = ' {"a" : [1, 2.50, -0, 1e3], "b":{"c":null},"d":"\\u00e9\\n", "e":true,"":""} ';
    const object = parsed(text);
    expect(object.value).toEqual(JSON.parse(text));
    expect(object.bytes.toString()).toBe(text);
    expect(object.breach).toBeUndefined();
  });

  test('of an empty object', () => {
    for (const text of ['{}', ' { } ']) {
      expect(parsed(text).value).toEqual({});
      expect(parsed(text).extra(NONE)).toBe('');
    }
  });

  test('do not include members of prototypes', () => {
    const { value, text } = parsed('{"__proto__":{"campaign_id":"x"},"constructor":1}');
    expect(value.campaign_id).toBeUndefined();
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect([text('constructor'), text('toString')]).toEqual(['1', '']);
  });
});

describe('text', () => {
  test('equals the sent text byte for byte', () => {
    const { text } = parsed(
      '{"a" :  { "x" : 1.50, "y":"\\u00e9é" } ,"b":12345678901234567890,"c":"q"}',
    );
    expect(text('a')).toBe('{ "x" : 1.50, "y":"\\u00e9é" }');
    expect(text('b')).toBe('12345678901234567890');
    expect(text('c')).toBe('"q"');
  });

  test('of absent or null values is empty', () => {
    const { text } = parsed('{"a":null,"b": null }');
    expect([text('a'), text('b'), text('c')]).toEqual(['', '', '']);
  });

  test('of duplicate keys is the last one, as for values', () => {
    const { text, value, extra } = parsed('{"a":1,"b":2,"a":{"x":3},"\\u0061":[4]}');
    expect(text('a')).toBe('[4]');
    expect(value.a).toEqual([4]);
    expect(extra(NONE)).toBe('{"b":2,"\\u0061":[4]}');
  });

  test('is found by its key, with any escapes in the key', () => {
    expect(parsed('{"p\\u0061yload":{"x":1}}').text('payload')).toBe('{"x":1}');
    expect(parsed('{"\\ud83d\\ude80":1}').text('🚀')).toBe('1');
  });
});

describe('extra', () => {
  test('has the unknown members, in order and as sent', () => {
    const object = parsed('{ "a":1, "x" : {"y": [ 1 ]} ,"b":2,"z":null}');
    expect(object.extra(new Set(['a', 'b']))).toBe('{"x" : {"y": [ 1 ]},"z":null}');
    expect(object.extra(new Set(['a', 'b', 'x', 'z']))).toBe('');
    expect(object.extra(NONE)).toBe('{"a":1,"x" : {"y": [ 1 ]},"b":2,"z":null}');
  });

  test('is JSON with the same members', () => {
    const random = createRandom(3);
    for (let round = 0; round < 300; round++) {
      const entries = Array.from({ length: random.below(6) }, () => [
        random.pick(['a', 'b', 'é', '"', '\\', '', '🚀', '__proto']),
        random.pick([null, 0, -1.5, 'x', '\u0000', [], {}, [{ a: [] }], { '"': '\\' }]),
      ]);
      const value = Object.fromEntries(entries) as Record<string, unknown>;
      const known = new Set(['a', '"']);
      const extra = parsed(JSON.stringify(value, null, random.below(3))).extra(known);
      const unknown = Object.entries(value).filter(([key]) => !known.has(key));
      if (unknown.length === 0) expect(extra).toBe('');
      else expect(JSON.parse(extra)).toEqual(Object.fromEntries(unknown));
    }
  });
});

describe('limits', () => {
  const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

  test.for([
    ['NESTING_TOO_DEEP', `{"a":${deep(6)}}`, `{"a":${deep(5)}}`],
    ['KEY_TOO_LONG', `{"a":{"${'k'.repeat(257)}":1}}`, `{"a":{"${'🚀'.repeat(256)}":1}}`],
    ['VALUE_TOO_LARGE', `{"a":"${'é'.repeat(5_121)}"}`, `{"a":"${'é'.repeat(5_120)}"}`],
    ['VALUE_TOO_LARGE', `{"a":["${'v'.repeat(10_241)}"]}`, `{"a":["${'v'.repeat(10_240)}"]}`],
  ] as const)('%s', ([code, beyond, within]) => {
    expect(parsed(beyond).breach).toMatchObject({ code, message: expect.stringMatching(/^a /) });
    expect(parsed(within).breach).toBeUndefined();
  });

  test('the first of several is reported, with a printable key', () => {
    const text = `{"\\ud800${'k'.repeat(300)}":${deep(7)},"b":"${'v'.repeat(10_241)}"}`;
    const { breach } = parsed(text);
    expect(breach?.code).toBe('NESTING_TOO_DEEP');
    expect(breach?.message.isWellFormed()).toBe(true);
    expect(breach!.message.length).toBeLessThan(300);
  });
});

describe('other values than objects', () => {
  test.for(['[]', '"x"', '1', 'null', 'true', ' [{"a":1}] '])('INVALID_BODY: %s', text => {
    expect(parse(text)).toMatchObject({ code: 'INVALID_BODY' });
  });

  test.for([
    '',
    '   ',
    '{',
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '{,}',
    "{'a':1}",
    '{a:1}',
    '{"a":01}',
    '{"a":1}{}',
    '{"a":1} x',
    '{"a":tru}',
    '{"a":"\u0001"}',
    '{"a":"\\x"}',
    '{"a":NaN}',
    '[',
    '"x',
    '\ufeff{}',
    '{"a":1}\u0000',
  ])('MALFORMED_JSON: %s', text => {
    expect(parse(text)).toMatchObject({ code: 'MALFORMED_JSON' });
  });

  test('MALFORMED_JSON: bytes that are not UTF-8', () => {
    for (const bytes of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0xaf]]) {
      const text = Buffer.concat([Buffer.from('{"a":"'), Buffer.from(bytes), Buffer.from('"}')]);
      expect(parse(text)).toMatchObject({ code: 'MALFORMED_JSON' });
    }
  });

  test('100,000 levels are parsed without an overflow', () => {
    const levels = 100_000;
    const { breach } = parsed(`{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`);
    expect(breach?.code).toBe('NESTING_TOO_DEEP');
  });
});
