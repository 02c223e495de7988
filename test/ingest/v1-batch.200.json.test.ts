// properties, traits and context are stored byte for byte as they were sent: nothing is parsed into
// numbers or strings and serialized again.

import { beforeAll, describe, expect, test } from 'vitest';
import { eventOf, nestedArrays, nestedObject, newMessageId, type Texts } from '../harness/batch.ts';
import { expectAccepted, liveTenant, postEvents } from '../harness/batch-client.ts';
import { useSharedIngest } from '../harness/ingest-process.ts';
import { storedEvent, storedEvents } from '../harness/stored-events.ts';
import type { Tenant } from '../harness/tenant.ts';
import type { EventRow } from '../harness/warehouse.ts';

const ingest = useSharedIngest();
let tenant: Tenant;
beforeAll(async () => {
  tenant = await liveTenant(ingest());
});

async function stored(fields: Texts, envelope: Texts = {}): Promise<EventRow> {
  const messageId = newMessageId();
  const event = eventOf(messageId, fields);
  expectAccepted(await postEvents(ingest(), tenant.writeKey, [event], envelope), 1);
  return storedEvent(tenant.workspaceId, messageId);
}

const VALUES: readonly string[] = [
  // Numbers that a double cannot represent exactly.
  '9007199254740993',
  '-9223372036854775808',
  '18446744073709551616',
  '123456789012345678901234567890.123456789012345678901234567890',
  '1e400',
  '-1E+400',
  '1e-400',
  '0.1000000000000000055511151231257827',
  '-0',
  '-0.0',
  '0e0',
  '0E+5',
  '1.0',
  '1.50',
  '1E5',
  '1e+05',
  '20e1',
  '0.000000000000000000000000000000000000001',
  // Strings.
  '""',
  '"\\u0000"',
  '"a\\u0000b"',
  '"\\ud800"',
  '"\\udfff\\ud800"',
  '"\\ud83d\\ude80"',
  '"\\uD83D\\uDE80"',
  '"🚀"',
  '"\\u0041"',
  '"\\/"',
  '"/"',
  '"\\b\\f\\n\\r\\t\\"\\\\"',
  '"\u007f\u0080\u2028\u2029\ufeff\ufffe\uffff"',
  '"\\u2028"',
  '"é e\u0301"',
  '"\u{10ffff}"',
  '"null"',
  '"<script>alert(1)</script>"',
  '"\'; DROP TABLE events; --"',
  '"\\\\N"',
  '"{x:String} %s"',
  // Literals, containers and white space.
  'true',
  'false',
  'null',
  '{}',
  '[]',
  '[ ]',
  '{ }',
  '[\n1 ,\t2\r\n]',
  '[1,null,true,{"a":[]}]',
  '{"a" : 1 , "b":2}',
  // Keys.
  '{"":0}',
  '{"a":1,"a":2}',
  '{"a":1,"\\u0061":2}',
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":1},"toString":null,"hasOwnProperty":0}',
  '{"\\u0000":1}',
  '{"\\ud800":1}',
  '{"ключ":1,"鍵":2,"🔑":3}',
  '{"type":"track","messageId":"inner","batch":[],"writeKey":"inner"}',
  '{"1":1,"0":0,"-1":2}',
];

describe.concurrent('JSON texts', () => {
  test.for(VALUES)('%s', async value => {
    const text = `{ "value": ${value} }`;
    const row = await stored(
      { properties: text, traits: `{"t":${value}}`, context: `{"c":\n${value}}` },
      { context: `{"b":${value}}` },
    );
    expect(row).toMatchObject({
      properties: text,
      traits: `{"t":${value}}`,
      context: `{"c":\n${value}}`,
      batch_context: `{"b":${value}}`,
    });
  });

  test.for(VALUES)('in a field without a column: %s', async value => {
    const row = await stored({ custom: value }, { custom: value });
    expect(row.extra).toContain(value);
    expect(row.extra).toMatch(/^\{"custom":/);
    expect(row.batch_extra).toContain(value);
    expect(() => JSON.parse(row.extra) as unknown).not.toThrow();
    expect(() => JSON.parse(row.batch_extra) as unknown).not.toThrow();
  });
});

describe.concurrent('objects', () => {
  test.for(['properties', 'traits', 'context'])('%s may be empty', async field => {
    expect(await stored({ [field]: '{}' })).toMatchObject({ [field]: '{}' });
  });

  test.for(['properties', 'traits', 'context'])('%s may have 5 levels', async field => {
    const [objects, arrays] = [nestedObject(5), nestedArrays(5)];
    expect(await stored({ [field]: objects })).toMatchObject({ [field]: objects });
    expect(await stored({ [field]: arrays })).toMatchObject({ [field]: arrays });
  });

  test('the context of the batch may have 5 levels', async () => {
    const context = nestedObject(5);
    expect((await stored({}, { context })).batch_context).toBe(context);
  });

  test.for([
    ['ASCII', 'k'.repeat(256)],
    ['two bytes each', 'é'.repeat(256)],
    ['astral', '🔑'.repeat(256)],
    ['escaped', '\\u006b'.repeat(256)],
    ['escaped astral', '\\ud83d\\udd11'.repeat(256)],
  ] as const)('a key may have 256 characters: %s', async ([, key]) => {
    const properties = `{"${key}":1,"inner":{"${key}":[{"${key}":2}]}}`;
    expect(await stored({ properties })).toMatchObject({ properties });
  });

  test.for([
    ['ASCII', 'v'.repeat(10_240)],
    ['two bytes each', 'é'.repeat(5_120)],
    ['astral', '🚀'.repeat(2_560)],
    ['escaped', '\\u00e9'.repeat(5_120)],
    ['escaped astral', '\\ud83d\\ude80'.repeat(2_560)],
    ['short escapes', '\\n'.repeat(10_240)],
  ] as const)('a value may have 10,240 bytes: %s', async ([, value]) => {
    const properties = `{"value":"${value}","list":["${value}"]}`;
    expect(await stored({ properties })).toMatchObject({ properties });
  });

  test('an object may be larger than a value', async () => {
    const list = Array.from({ length: 30 }, () => `"${'v'.repeat(10_000)}"`).join(',');
    const properties = `{"list":[${list}],"keys":{}}`;
    expect(await stored({ properties })).toMatchObject({ properties });
  });

  test('an object may have thousands of keys', async () => {
    const properties = `{${Array.from({ length: 30_000 }, (_, i) => `"key${i}":${i}`).join(',')}}`;
    expect(await stored({ properties })).toMatchObject({ properties });
  });

  test('an event may have thousands of fields', async () => {
    const fields = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, i) => [`field${i}`, `${i}`]),
    );
    const row = await stored(fields);
    expect(Object.keys(JSON.parse(row.extra) as object)).toHaveLength(20_000);
  });
});

test('__proto__ as a field of the event or the batch is a field like any other', async () => {
  const messageId = newMessageId();
  const event = `${eventOf(messageId).slice(0, -1)},"__proto__":{"type":"page","polluted":1}}`;
  const own = Object.fromEntries([['__proto__', '{"writeKey":"x","polluted":1}']]);
  expectAccepted(await postEvents(ingest(), tenant.writeKey, [event], own), 1);
  const row = await storedEvent(tenant.workspaceId, messageId);
  expect(row.type).toBe('track');
  expect(row.extra).toBe('{"__proto__":{"type":"page","polluted":1}}');
  expect(row.batch_extra).toBe('{"__proto__":{"writeKey":"x","polluted":1}}');
});

test('a duplicate field has only its last value', async () => {
  const messageId = newMessageId();
  const event = `{"properties":{"first":1},${eventOf(messageId).slice(1, -1)},"properties":{"last":1}}`;
  expectAccepted(await postEvents(ingest(), tenant.writeKey, [event]), 1);
  const row = await storedEvent(tenant.workspaceId, messageId);
  expect(row).toMatchObject({ properties: '{"last":1}', extra: '' });
});

test('texts of one batch are not mixed up', async () => {
  const ids = Array.from({ length: 100 }, newMessageId);
  const events = ids.map((id, i) =>
    eventOf(id, {
      event: JSON.stringify(`é"${i}"`.repeat((i % 7) + 1)),
      properties: `{"n":${i},"pad":"${'ü'.repeat(i)}"}`,
      traits: i % 2 === 0 ? `{"even":${i}}` : undefined,
      custom: i % 3 === 0 ? `[${i}]` : undefined,
    }),
  );
  expectAccepted(await postEvents(ingest(), tenant.writeKey, events), 100);
  for (const [i, row] of (await storedEvents(tenant.workspaceId, ids)).entries()) {
    expect(row).toMatchObject({
      event: `é"${i}"`.repeat((i % 7) + 1),
      properties: `{"n":${i},"pad":"${'ü'.repeat(i)}"}`,
      traits: i % 2 === 0 ? `{"even":${i}}` : '',
      extra: i % 3 === 0 ? `{"custom":[${i}]}` : '',
    });
  }
});
