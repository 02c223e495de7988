// The official client, used as in its documentation.

import { Readable } from 'node:stream';
import {
  ClickHouseError,
  ClickHouseLogLevel,
  type ClickHouseSettings,
  createClient,
  TupleParam,
} from '@clickhouse/client';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { freshDatabase } from './database.ts';

async function people() {
  const database = await freshDatabase();
  await database.client.command({
    query: `CREATE TABLE people (id UInt64, name String DEFAULT concat('n', toString(id)), at Nullable(DateTime64(3)))
            ENGINE = MergeTree ORDER BY id`,
  });
  return database;
}

describe('insert', () => {
  test('objects as JSONEachRow, with defaults for what they omit', async () => {
    const { client, rows } = await people();
    const result = await client.insert({
      table: 'people',
      values: [{ id: '18446744073709551615', name: "é'\\\n" }, { id: 2 }],
      format: 'JSONEachRow',
    });
    expect(result.executed).toBe(true);
    expect(result.summary?.written_rows).toBe('2');
    expect(
      await rows('SELECT toString(id) AS id, name, at FROM people ORDER BY people.id'),
    ).toEqual([
      { id: '2', name: 'n2', at: null },
      { id: '18446744073709551615', name: "é'\\\n", at: null },
    ]);
  });

  test('arrays as JSONCompactEachRow into named columns', async () => {
    const { client, rows } = await people();
    await client.insert({
      table: 'people',
      columns: ['name', 'id'],
      values: [['a', 1]],
      format: 'JSONCompactEachRow',
    });
    await client.insert({
      table: 'people',
      columns: { except: ['name', 'at'] },
      values: [[2]],
      format: 'JSONCompactEachRow',
    });
    expect(await rows('SELECT id, name FROM people ORDER BY id')).toEqual([
      { id: 1, name: 'a' },
      { id: 2, name: 'n2' },
    ]);
  });

  test('streams of objects and of CSV text', async () => {
    const { client, rows } = await people();
    const objects = Array.from({ length: 1000 }, (_, id) => ({ id }));
    await client.insert({ table: 'people', values: Readable.from(objects), format: 'JSONEachRow' });
    const lines = ['5000,"a ""b""",\\N\n', '5001,c,2020-01-02 03:04:05.678\n'];
    const csv = Readable.from(lines, { objectMode: false });
    await client.insert({ table: 'people', values: csv, format: 'CSV' });
    expect(await rows('SELECT count() AS count FROM people')).toEqual([{ count: 1002 }]);
    expect(await rows('SELECT name, at FROM people WHERE id >= 5000 ORDER BY id')).toEqual([
      { name: 'a "b"', at: null },
      { name: 'c', at: '2020-01-02 03:04:05.678' },
    ]);
  });

  test('gzip both ways', async () => {
    const { name } = await people();
    const client = createClient({
      url: inject('clickhouseUrl'),
      database: name,
      compression: { request: true, response: true },
    });
    onTestFinished(() => client.close());
    const values = Array.from({ length: 500 }, (_, id) => ({ id, name: 'same '.repeat(20) }));
    await client.insert({ table: 'people', values, format: 'JSONEachRow' });
    const result = await client.query({ query: 'SELECT * FROM people', format: 'JSONEachRow' });
    expect(result.response_headers['content-encoding']).toBe('gzip');
    expect(await result.json()).toHaveLength(500);
  });
});

describe('query', () => {
  test('JSON, with its metadata', async () => {
    const { client } = await people();
    const result = await client.query({ query: 'SELECT 1 AS one, toString(2) AS two;' });
    const { meta, data, rows } = await result.json<{ one: number; two: string }>();
    expect({ meta, data, rows }).toEqual({
      meta: [
        { name: 'one', type: 'UInt8' },
        { name: 'two', type: 'String' },
      ],
      data: [{ one: 1, two: '2' }],
      rows: 1,
    });
  });

  test('text formats', async () => {
    const { client } = await people();
    const query = "SELECT number AS n, 'x' AS s FROM numbers(2)";
    const text = async (format: 'CSVWithNames' | 'TabSeparatedWithNamesAndTypes') =>
      (await client.query({ query, format })).text();
    expect(await text('CSVWithNames')).toBe('"n","s"\n0,"x"\n1,"x"\n');
    expect(await text('TabSeparatedWithNamesAndTypes')).toBe('n\ts\nUInt64\tString\n0\tx\n1\tx\n');
  });

  test('a result of many blocks is one document', async () => {
    const { client } = await people();
    const query = 'SELECT number AS n FROM numbers(300000)';
    const json = await (await client.query({ query, format: 'JSONCompact' })).json<[number]>();
    expect(json.rows).toBe(300_000);
    expect(json.data.at(-1)).toEqual([299_999]);
    const csv = await (await client.query({ query, format: 'CSVWithNames' })).text();
    expect(csv.match(/"n"/g)).toHaveLength(1);
  });

  test('parameters of many types', async () => {
    const { client } = await people();
    const result = await client.query({
      query: `SELECT {text:String} AS text, {list:Array(String)} AS list, {none:Nullable(String)} AS none,
                     {big:UInt64} AS big, {day:Date} AS day, {at:DateTime64(3, 'UTC')} AS at, {yes:Bool} AS yes,
                     {pair:Tuple(Int32, String)} AS pair, {map:Map(String, UInt8)} AS map, {half:Float64} AS half,
                     {column:Identifier} AS column FROM (SELECT 7 AS seven)`,
      query_params: {
        text: "a'\\b\tc\nd {x:String} é",
        list: ["it's", 'b\\c'],
        none: null,
        big: 18446744073709551615n,
        day: '2024-02-29',
        at: new Date('2024-02-29T12:34:56.789Z'),
        yes: true,
        pair: new TupleParam([-5, 'x']),
        map: { k: 3 },
        half: 0.5,
        column: 'seven',
      },
      clickhouse_settings: { output_format_json_quote_64bit_integers: 1 },
      format: 'JSONEachRow',
    });
    expect(await result.json()).toEqual([
      {
        text: "a'\\b\tc\nd {x:String} é",
        list: ["it's", 'b\\c'],
        none: null,
        big: '18446744073709551615',
        day: '2024-02-29',
        at: '2024-02-29 12:34:56.789',
        yes: true,
        pair: [-5, 'x'],
        map: { k: 3 },
        half: 0.5,
        column: 7,
      },
    ]);
  });

  test('parameters too long for a URL, as multipart', async () => {
    const { client } = await people();
    const list = Array.from({ length: 20_000 }, (_, index) => `value ${index}`);
    const result = await client.query({
      query: 'SELECT length({list:Array(String)}) AS length',
      query_params: { list },
      use_multipart_params_auto: true,
      format: 'JSONEachRow',
    });
    expect(await result.json()).toEqual([{ length: 20_000 }]);
  });

  test('as a stream of rows', async () => {
    const { client } = await people();
    const query = 'SELECT number FROM numbers(200000)';
    const result = await client.query({ query, format: 'JSONEachRow' });
    let count = 0;
    for await (const rows of result.stream()) count += rows.length;
    expect(count).toBe(200_000);
  });
});

test('command, exec and ping', async () => {
  const { client } = await people();
  const command = await client.command({ query: 'TRUNCATE TABLE people;', query_id: 'mine' });
  expect(command.query_id).toBe('mine');
  expect(command.summary).toBeDefined();
  const { stream, query_id } = await client.exec({ query: 'SELECT 42 FORMAT TSV' });
  expect(query_id).not.toBe('');
  expect(await readAll(stream)).toBe('42\n');
  const rows = await client.exec({
    query: 'INSERT INTO people (id) FORMAT CSV',
    values: Readable.from(['1\n2\n'], { objectMode: false }),
  });
  expect(await readAll(rows.stream)).toBe('');
  expect(await client.ping()).toEqual({ success: true });
  expect(await client.ping({ select: true })).toEqual({ success: true });
});

describe('errors carry code and type', () => {
  const cases = [
    { query: 'SELECT * FROM nowhere', code: '60', type: 'UNKNOWN_TABLE' },
    { query: 'SELECT nothing', code: '47', type: 'UNKNOWN_IDENTIFIER' },
    { query: 'SELECT 1 FROM', code: '62', type: 'SYNTAX_ERROR' },
    { query: 'SELECT 1; SELECT 2', code: '62', type: 'SYNTAX_ERROR' },
    { query: 'SELECT throwIf(1)', code: '395', type: 'FUNCTION_THROW_IF_VALUE_IS_NON_ZERO' },
    { query: "SELECT toUInt8('x')", code: '6', type: 'CANNOT_PARSE_TEXT' },
  ];
  test.each(cases)('$query', async ({ query, code, type }) => {
    const { client } = await people();
    const error = await client.query({ query, format: 'JSONEachRow' }).catch(reason => reason);
    expect(error).toBeInstanceOf(ClickHouseError);
    expect(error).toMatchObject({ code, type });
  });

  test('of settings, databases and rows', async () => {
    const { client } = await people();
    const setting = client.query({
      query: 'SELECT 1',
      clickhouse_settings: JSON.parse('{"nonsense":"1"}') as ClickHouseSettings,
    });
    await expect(setting).rejects.toMatchObject({ code: '115', type: 'UNKNOWN_SETTING' });
    const bad = client.insert({ table: 'people', values: [{ id: 'x' }], format: 'JSONEachRow' });
    await expect(bad).rejects.toMatchObject({
      code: '27',
      message: expect.not.stringMatching(/bodies\//),
    });
    const nowhere = createClient({
      url: inject('clickhouseUrl'),
      database: 'nowhere',
      log: { level: ClickHouseLogLevel.OFF },
    });
    onTestFinished(() => nowhere.close());
    await expect(nowhere.command({ query: 'SELECT 1' })).rejects.toMatchObject({
      code: '81',
      type: 'UNKNOWN_DATABASE',
    });
  });

  test.each([false, true])('in the middle of a stream (compressed: %s)', async isCompressed => {
    const { name } = await people();
    const client = createClient({
      url: inject('clickhouseUrl'),
      database: name,
      compression: { response: isCompressed },
      log: { level: ClickHouseLogLevel.OFF },
    });
    onTestFinished(() => client.close());
    const query = 'SELECT throwIf(number = 2000000) AS x FROM numbers(4000000)';
    const settings = { max_block_size: '10000', max_threads: 1 };
    const stream = await client.query({
      query,
      format: 'JSONEachRow',
      clickhouse_settings: settings,
    });
    let count = 0;
    const reading = (async () => {
      for await (const rows of stream.stream()) count += rows.length;
    })();
    await expect(reading).rejects.toMatchObject({ code: '395' });
    expect(count).toBeGreaterThan(0);
    const whole = await client.query({ query, format: 'CSV', clickhouse_settings: settings });
    await expect(whole.text()).rejects.toThrow();
  });
});

test('FINAL over a ReplacingMergeTree, by a view', async () => {
  const { client, rows } = await freshDatabase();
  await client.command({
    query: 'CREATE TABLE raw (id UInt32, rank UInt8) ENGINE = ReplacingMergeTree(rank) ORDER BY id',
  });
  await client.command({ query: 'CREATE VIEW seen AS SELECT * FROM raw FINAL' });
  for (const rank of [1, 3, 2])
    await client.insert({ table: 'raw', values: [{ id: 1, rank }], format: 'JSONEachRow' });
  expect(await rows('SELECT * FROM seen')).toEqual([{ id: 1, rank: 3 }]);
});

async function readAll(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
