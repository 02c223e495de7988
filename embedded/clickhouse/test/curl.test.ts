// The interface for curl and other plain HTTP clients.

import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync, zstdDecompressSync } from 'node:zlib';
import { describe, expect, inject, test } from 'vitest';
import { compress, ENCODINGS, send } from '../../../test/harness/http.ts';
import { freshDatabase } from './database.ts';

const run = promisify(execFile);

async function hasCurl(): Promise<boolean> {
  return run('curl', ['--version']).then(
    () => true,
    () => false,
  );
}

describe.skipIf(!(await hasCurl()))('curl', () => {
  async function curl(...parameters: string[]): Promise<string> {
    return (await run('curl', ['-sS', ...parameters])).stdout;
  }

  test('the methods in the documentation', async () => {
    const url = `${inject('clickhouseUrl')}/`;
    expect(await curl(url)).toBe('Ok.\n');
    expect(await curl(`${url}ping`)).toBe('Ok.\n');
    expect(await curl(`${url}replicas_status`)).toBe('Ok.\n');
    expect(await curl(`${url}?query=SELECT%201`)).toBe('1\n');
    expect(await curl(url, '--data-binary', 'SELECT 1')).toBe('1\n');
    expect(await curl(`${url}?query=`, '-d', 'SELECT 1')).toBe('1\n');
    expect(await curl(`${url}?query=SELECT`, '-d', '1')).toBe('1\n');
    expect(await curl(`${url}?default_format=JSONEachRow`, '-d', 'SELECT 1 AS a')).toBe(
      '{"a":1}\n',
    );
    expect(await curl('-H', 'X-ClickHouse-Format: CSV', url, '-d', "SELECT 'a'")).toBe('"a"\n');
    expect(await curl('-u', 'someone:secret', url, '-d', 'SELECT 1')).toBe('1\n');
    expect(
      await curl(
        `${url}?param_id=2&param_phrase=it%27s`,
        '-d',
        'SELECT {id:UInt8}, {phrase:String}',
      ),
    ).toBe("2\tit\\'s\n");
  });

  test('rows in the body, statement in the URL or before the rows', async () => {
    const { address } = await freshDatabase();
    await curl(
      address({}),
      '-d',
      'CREATE TABLE t (a UInt8, b String) ENGINE = MergeTree ORDER BY a',
    );
    await curl(address({ query: 'INSERT INTO t FORMAT CSV' }), '--data-binary', '1,one\n2,two\n');
    await curl(
      address({}),
      '--data-binary',
      "INSERT INTO t VALUES (3, 'three'), (4, upper('four'))",
    );
    await curl(address({ query: 'INSERT INTO t VALUES' }), '-d', "(5, 'five')");
    await curl(address({}), '--data-binary', 'INSERT INTO t FORMAT TabSeparated\n6\tsix\n');
    expect(await curl(address({ query: 'SELECT * FROM t ORDER BY a FORMAT CSV' }))).toBe(
      '1,"one"\n2,"two"\n3,"three"\n4,"FOUR"\n5,"five"\n6,"six"\n',
    );
  });

  test('a compressed response', async () => {
    const url = `${inject('clickhouseUrl')}/?enable_http_compression=1`;
    expect(await curl('--compressed', url, '-d', 'SELECT 1')).toBe('1\n');
  });
});

describe('headers', () => {
  test('of an answer', async () => {
    const { ask } = await freshDatabase();
    const { headers } = await ask({ query: 'SELECT 1 FORMAT JSON', query_id: 'my id' });
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=UTF-8',
      'x-clickhouse-format': 'JSON',
      'x-clickhouse-query-id': 'my id',
      'x-clickhouse-timezone': expect.stringMatching(/./),
      'x-clickhouse-exception-tag': expect.stringMatching(/^[a-z0-9]{16}$/),
    });
    expect(JSON.parse(String(headers['x-clickhouse-summary']))).toMatchObject({ read_rows: '1' });
  });

  test.each([
    ['TabSeparated', 'text/tab-separated-values; charset=UTF-8'],
    ['CSV', 'text/csv; charset=UTF-8; header=absent'],
    ['JSONEachRow', 'application/x-ndjson; charset=UTF-8'],
    ['Pretty', 'text/plain; charset=UTF-8'],
    ['Parquet', 'application/octet-stream'],
  ])('%s is %s', async (format, type) => {
    const { ask } = await freshDatabase();
    const { headers } = await ask({ query: 'SELECT 1', default_format: format });
    expect(headers).toMatchObject({ 'content-type': type, 'x-clickhouse-format': format });
  });

  test('of an error', async () => {
    const { ask } = await freshDatabase();
    const { status, headers, text } = await ask({ query: 'SELECT * FROM nowhere' });
    expect({ status, code: headers['x-clickhouse-exception-code'] }).toEqual({
      status: 404,
      code: '60',
    });
    expect(text).toMatch(
      /^Code: 60\. DB::Exception: .*\. \(UNKNOWN_TABLE\) \(version 26\..*\)\n$/s,
    );
  });
});

test('a GET request cannot change anything', async () => {
  const { post, ask } = await freshDatabase();
  await post('CREATE TABLE t (a UInt8) ENGINE = MergeTree ORDER BY a');
  for (const query of [
    'INSERT INTO t VALUES (1)',
    'DROP TABLE t',
    'CREATE TABLE u (a UInt8) ENGINE = Memory',
  ]) {
    const refused = await ask({ query }, { method: 'GET' });
    expect(refused.headers['x-clickhouse-exception-code']).toBe('164');
  }
  const lifted = await ask({ query: 'INSERT INTO t VALUES (1)', readonly: '0' }, { method: 'GET' });
  expect(lifted.headers['x-clickhouse-exception-code']).toBe('164');
  const counted = await ask(
    { query: 'SELECT count() FROM t', max_threads: '1' },
    { method: 'GET' },
  );
  expect(counted.text).toBe('0\n');
});

test('settings in the URL', async () => {
  const { ask } = await freshDatabase();
  const query = "SELECT getSetting('max_threads'), getSetting('date_time_input_format')";
  const settings = { max_threads: '3', date_time_input_format: 'best_effort' };
  expect((await ask({ query, ...settings })).text).toBe('3\tbest_effort\n');
});

describe('encodings', () => {
  test.each(ENCODINGS)('a request in %s', async encoding => {
    const { ask } = await freshDatabase();
    const body = compress(encoding, 'SELECT 1 + 1');
    expect((await ask({}, { body, headers: { 'content-encoding': encoding } })).text).toBe('2\n');
  });

  test('an invalid or unknown encoding is an error, and nothing is inserted', async () => {
    const { ask, post } = await freshDatabase();
    await post('CREATE TABLE t (a String) ENGINE = MergeTree ORDER BY a');
    const rows = gzipSync('a\n'.repeat(100_000));
    const body = rows.subarray(0, rows.length - 20);
    const parameters = { query: 'INSERT INTO t FORMAT TSV' };
    const headers = { 'content-encoding': 'gzip' };
    expect((await ask(parameters, { body, headers })).status).toBe(400);
    const unknown = await ask(parameters, { body, headers: { 'content-encoding': 'lzma' } });
    expect(unknown.headers['x-clickhouse-exception-code']).toBe('89');
    expect((await post('SELECT count() FROM t')).text).toBe('0\n');
  });

  test('responses are compressed only if both sides request it', async () => {
    const { address } = await freshDatabase();
    const answer = (parameters: Record<string, string>, accepted: string) =>
      bytesOf(address({ query: 'SELECT 7', ...parameters }), { 'accept-encoding': accepted });
    const on = { enable_http_compression: '1' };
    expect((await answer({}, 'gzip')).encoding).toBeUndefined();
    const gzip = await answer(on, 'gzip, deflate');
    expect({ ...gzip, body: gunzipSync(gzip.body).toString() }).toEqual({
      encoding: 'gzip',
      body: '7\n',
    });
    const zstd = await answer(on, 'zstd, gzip');
    expect({ ...zstd, body: zstdDecompressSync(zstd.body).toString() }).toEqual({
      encoding: 'zstd',
      body: '7\n',
    });
  });
});

test('statements other than queries', async () => {
  const url = inject('clickhouseUrl');
  expect(await send(`${url}/nothing/here`)).toMatchObject({ status: 404 });
  expect(await send(`${url}/`, { method: 'DELETE' })).toMatchObject({ status: 405 });
  expect(await send(`${url}/?query=%20;%20--%20nothing`)).toMatchObject({
    status: 200,
    text: 'Ok.\n',
  });
  expect(await send(`${url}/?default_format=a'b`, { body: 'SELECT 1' })).toMatchObject({
    status: 404,
  });
  const outfile = await send(`${url}/`, { body: "SELECT 1 INTO OUTFILE '/tmp/x'" });
  expect(outfile.headers['x-clickhouse-exception-code']).toBe('358');
});

async function bytesOf(url: string, headers: Record<string, string>) {
  const outgoing = request(url, { headers, agent: false }).end();
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  const body = Buffer.concat(await incoming.toArray());
  return { encoding: incoming.headers['content-encoding'], body };
}
