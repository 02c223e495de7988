// The Native format for clients that name their client_protocol_version.

import { describe, expect, test } from 'vitest';
import { TYPES_IN_BINARY, toRevision } from '../native-format/revision.ts';
import { freshDatabase } from './database.ts';

/** Sent by clickhouse-go 2. */
const REVISION = '54460';
/** Sent by clickhouse-connect: with block information, without the kind of serialization. */
const OLDER_REVISION = '54405';
const BLOCK_INFO = '010002ffffffff00';

async function native(query: string, parameters: Record<string, string>): Promise<Buffer> {
  const { address } = await freshDatabase();
  const url = address({ default_format: 'Native', ...EXPERIMENTAL, ...parameters });
  const answer = await fetch(url, { method: 'POST', body: query });
  if (answer.status !== 200) throw new Error(await answer.text());
  return Buffer.from(await answer.arrayBuffer());
}

const EXPERIMENTAL = {
  enable_time_time64_type: '1',
  allow_suspicious_low_cardinality_types: '1',
  allow_suspicious_variant_types: '1',
};

test('each client revision gets its own form, and no revision gets the oldest', async () => {
  const query = "SELECT toUInt8(7) AS a, 'xy' AS b";
  const [first, second] = ['0161 0555496e7438', '0162 06537472696e67'];
  const hex = (text: string) => text.replaceAll(' ', '');
  const forms = {
    none: await native(query, {}),
    older: await native(query, { client_protocol_version: OLDER_REVISION }),
    newer: await native(query, { client_protocol_version: REVISION }),
  };
  expect(forms.none.toString('hex')).toBe(hex(`0201 ${first} 07 ${second} 027879`));
  expect(forms.older.toString('hex')).toBe(hex(`${BLOCK_INFO} 0201 ${first} 07 ${second} 027879`));
  expect(forms.newer.toString('hex')).toBe(
    hex(`${BLOCK_INFO} 0201 ${first} 00 07 ${second} 00 027879`),
  );
});

test('other formats and inserts are the same without it', async () => {
  const { post } = await freshDatabase();
  const parameters = { client_protocol_version: REVISION, default_format: 'Native' };
  expect((await post('SELECT 1 FORMAT TSV', parameters)).text).toBe('1\n');
  await post('CREATE TABLE t (a UInt8) ENGINE = Memory', parameters);
  const body = Buffer.from('0101 0161 0555496e7438 07'.replaceAll(' ', ''), 'hex');
  const insert = Buffer.concat([Buffer.from('INSERT INTO t FORMAT Native\n'), body]);
  expect((await post(insert, parameters)).text).toBe('');
  expect((await post('SELECT a FROM t')).text).toBe('7\n');
});

/** Expressions of every type, some with values that differ between rows. */
const VALUES = [
  ...[8, 16, 32, 64, 128, 256].flatMap(bits => [`number::UInt${bits}`, `number::Int${bits}`]),
  '1::Float32',
  '1::Float64',
  '1::BFloat16',
  ...[9, 18, 38, 76].map(precision => `number::Decimal(${precision}, 2)`),
  'true',
  'NULL',
  "repeat('long ', number * 100)",
  "toFixedString('a', 3)",
  "'a'::Enum8('a' = 1, 'b\\'\\\\\\n' = -2)",
  "'a'::Enum16('a' = 1000, 'b' = -2)",
  'toDate(0)',
  'toDate32(0)',
  'toDateTime(0)',
  "toDateTime(0, 'Europe/Berlin')",
  'toDateTime64(0, 3)',
  "toDateTime64(0, 6, 'UTC')",
  "'12:00:00'::Time",
  "'12:00:00'::Time64(3)",
  ...'Nanosecond Second Minute Hour Day Week Month Quarter Year'
    .split(' ')
    .map(unit => `toInterval${unit}(1)`),
  'generateUUIDv4()',
  "toIPv4('1.2.3.4')",
  "toIPv6('::1')",
  'range(number)',
  '[[1], [2, 3]]',
  '[]',
  "(1, 'a')",
  'tuple()',
  "map('k', toLowCardinality('v'))",
  "if(number % 2, NULL, 'x')",
  'toLowCardinality(toString(number % 3))',
  "toLowCardinality(if(number % 2, NULL, 'y'))",
  'number::LowCardinality(UInt64)',
  "[('a', [map('x', toLowCardinality(toNullable('q')))])]",
  '(1., 2.)::Point',
  '[[(1., 2.)]]::Polygon',
  '[[[(1., 2.)]]]::MultiPolygon',
  "[(1, 'x')]::Nested(a UInt8, b String)",
  'number::SimpleAggregateFunction(sum, UInt64)',
  "if(number % 2, 'a', 5::UInt8)::Variant(String, UInt8)",
  '[number::Variant(UInt64, LowCardinality(String))]',
  'number::Dynamic',
  '[number::Dynamic(max_types=3)]',
  "map('k', 'v')::Dynamic",
  `'{"a":1}'::JSON`,
  `concat('{"a":1,"b":{"c":[1,2,{"x":1}]},"d', toString(number), '":"q"}')::JSON`,
  `concat('{"a":1,"z":2,"b":{"c":[1]},"d', toString(number), '":"q"}')::JSON(max_dynamic_paths=1, a LowCardinality(String), z UInt8)`,
  `'{"a":1}'::JSON(\`a.b\` UInt8, a1 String, SKIP b.c, SKIP REGEXP 'x', max_dynamic_types=3)`,
  `['{"a":1}'::JSON]`,
];

describe('every type keeps its name, and the column after it is found', () => {
  test.each(VALUES)('%s', async value => {
    const query = `SELECT ${value} AS x, 'end' AS y FROM numbers(5) SETTINGS max_block_size = 3`;
    const { post } = await freshDatabase();
    const types = `SELECT toTypeName(x) FROM (${query}) LIMIT 1 FORMAT RawBLOB`;
    const type = (await post(types, EXPERIMENTAL)).text;
    const engines = await native(query, { [TYPES_IN_BINARY]: '1' });
    const results = [1, 5, engines.length].map(size => {
      const rewriting = toRevision(Number(REVISION));
      const output: Buffer[] = [];
      for (let at = 0; at < engines.length; at += size)
        output.push(...rewriting.push(engines.subarray(at, at + size)));
      return Buffer.concat(output).toString('latin1');
    });
    expect(new Set(results).size).toBe(1);
    const headers = results[0]!.split('\x01y\x06String\x00').length - 1;
    expect({ headers, hasType: results[0]!.includes(`${type}\x00`) }).toEqual({
      headers: 2,
      hasType: true,
    });
  });
});

test('a type that cannot be parsed is refused by name, and other types are not affected', async () => {
  const { post } = await freshDatabase();
  const parameters = { client_protocol_version: REVISION, default_format: 'Native' };
  const answer = await post('SELECT sumState(number) FROM numbers(3)', parameters);
  expect(answer).toMatchObject({
    status: 501,
    headers: { 'x-clickhouse-exception-code': '48' },
    text: expect.stringContaining('client_protocol_version'),
  });
  expect((await post('SELECT 1')).text).toBe('1\n');
});

test('a large result of many blocks', async () => {
  const query = 'SELECT number, toString(number) FROM numbers(1000000)';
  const engines = await native(query, {});
  const ours = await native(query, { client_protocol_version: REVISION });
  const blocks = ours.toString('latin1').split('\x06number').length - 1;
  // 8 bytes for each block and 1 for each column.
  expect(ours.length - engines.length).toBe(blocks * 10);
});
