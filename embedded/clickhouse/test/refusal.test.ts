// Statements and requests that the embedded engine rejects.

import { expect, inject, test } from 'vitest';
import { send } from '../../../test/harness/http.ts';
import { OTHER_RESULT_BYTES_MAX } from '../limits.ts';
import { freshDatabase } from './database.ts';

test.each([
  { origin: 'https://example.com' },
  { origin: 'null' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { host: 'rebound.example.com:8123' },
  { host: '127.0.0.1.example.com' },
  { host: 'localhost.example.com' },
  { 'webhook-id': 'one' },
  { 'webhook-timestamp': '1' },
  { 'webhook-signature': 'v1,' },
])('requests from web pages and webhooks are rejected: %j', async headers => {
  const answer = await send(`${inject('clickhouseUrl')}/`, { body: 'SELECT 1', headers });
  expect(answer).toMatchObject({
    status: 403,
    headers: {
      'content-type': 'text/plain; charset=UTF-8',
      'x-clickhouse-exception-code': '497',
    },
  });
  expect(answer.text).toMatch(/^Code: 497\. DB::Exception: .*\(ACCESS_DENIED\) \(version /);
});

test.each(['127.0.0.1', '127.1.2.3:80', 'localhost:8123', 'LOCALHOST', '[::1]', '[::1]:8123'])(
  'a program on this machine gets a response: %s',
  async host => {
    const answer = await send(`${inject('clickhouseUrl')}/`, {
      body: 'SELECT 1',
      headers: { host, 'sec-fetch-site': 'none' },
    });
    expect(answer.text).toBe('1\n');
  },
);

test.each([
  "SELECT * FROM file('/etc/passwd', 'LineAsString')",
  "SELECT * FROM /* x */ URL ('http://127.0.0.1/', 'TSV')",
  "SELECT * FROM `file`('/etc/passwd')",
  "SELECT file('/etc/passwd')",
  "WITH (SELECT * FROM s3('x')) AS x SELECT x",
  "SELECT * FROM remoteSecure('example.com', system.one)",
  "SELECT * FROM icebergLocal('/x')",
  "SELECT * FROM eval('SELECT 1')",
  "INSERT INTO FUNCTION file('/tmp/x', 'CSV', 'a UInt8') VALUES (1)",
  "INSERT INTO FUNCTION url('http://127.0.0.1/', 'CSV', 'a UInt8') FORMAT CSV\n1",
  "INSERT INTO t VALUES (file('/etc/passwd'))",
  "INSERT INTO t FROM INFILE '/etc/passwd' FORMAT CSV",
  'CREATE TABLE u (a UInt8) ENGINE = File(CSV)',
  'CREATE TABLE u (a UInt8) ENGINE File(CSV)',
  "CREATE TABLE u (a UInt8) ENGINE = `URL`('http://127.0.0.1/', CSV)",
  "CREATE TABLE u AS url('http://127.0.0.1/', CSV, 'a UInt8')",
  'CREATE DATABASE d ENGINE = Filesystem',
  'CREATE DATABASE d ENGINE Filesystem',
  "CREATE DICTIONARY d (a UInt8) PRIMARY KEY a SOURCE(HTTP(URL 'http://127.0.0.1/' FORMAT TSV)) LAYOUT(FLAT())",
  "BACKUP TABLE t TO Disk('x', 'y')",
  "RESTORE TABLE t FROM Disk('x', 'y')",
  "BACKUP DATABASE default TO File('/tmp/x')",
  "BACKUP DATABASE default TO File('../x')",
  "BACKUP DATABASE default TO S3('http://127.0.0.1/x', 'a', 'b')",
  "RESTORE DATABASE default FROM File('../x')",
  "ATTACH TABLE u FROM '/tmp' (a UInt8) ENGINE = Log",
  'SELECT * FROM default.`/etc/passwd`',
  'SELECT * FROM default."\\x2fetc/passwd"',
  "SELECT * FROM '/etc/passwd'",
  'SELECT * FROM t, `/etc/passwd`',
  'DESCRIBE `/etc/passwd`',
])('is disabled: %s', async query => {
  const { post } = await freshDatabase();
  await post('CREATE TABLE t (a String) ENGINE = Memory');
  const answer = await post(query);
  expect(answer.text).toMatch(/^Code: 344\. .* is disabled in the embedded engine\. /);
});

test('INTO OUTFILE is disabled at any position', async () => {
  const { post } = await freshDatabase();
  for (const query of [
    "SELECT 1 INTO OUTFILE '/tmp/x'",
    "INSERT INTO t SELECT 1 INTO OUTFILE '/tmp/x'",
    "SELECT * FROM (SELECT 1 INTO OUTFILE '/tmp/x')",
  ])
    expect((await post(query)).text).toMatch(/^Code: 358\. /);
});

test('the same words are allowed as names, in strings and in comments', async () => {
  const { post } = await freshDatabase();
  for (const statement of [
    'CREATE TABLE url (url String, file String, engine String) ENGINE = MergeTree ORDER BY url',
    "INSERT INTO url (url, file) VALUES ('http://a.example/file(x)', 'b')",
    'CREATE TABLE IF NOT EXISTS file (`remote` String) ENGINE = Log',
    'INSERT INTO file (remote) SELECT domain(url) FROM url',
    "INSERT INTO file VALUES ('s3(1)')",
    'CREATE VIEW v AS SELECT engine FROM system.tables',
  ])
    expect((await post(statement)).text).toBe('');
  const query =
    "SELECT url, file, domain(url) AS mysql, path(url), 'file(1)', `file` /* url() */ " +
    "AS `a/b`, cutToFirstSignificantSubdomain(url) FROM url WHERE url IN ('/x', 'http://a.example/file(x)') -- s3()";
  expect((await post(query)).text).toBe(
    'http://a.example/file(x)\tb\ta.example\t/file(x)\tfile(1)\tb\ta.example\n',
  );
  expect((await post('SELECT count() FROM file')).text).toBe('2\n');
  expect((await post('SELECT icebergHash(1) = 0')).text).toBe('0\n');
});

/** Functions that were reviewed and reach nothing outside the engine. */
const INSIDE_TABLE_FUNCTIONS =
  'arrowstream dictionary format fuzzJSON generateRandom generateSeries generate_series input loop ' +
  'merge mergeTreeAnalyzeIndexes mergeTreeAnalyzeIndexesUUID mergeTreeIndex mergeTreeProjection ' +
  'mergeTreeTextIndex null numbers numbers_mt primes prometheusQuery prometheusQueryRange ' +
  'SQLStandardValues timeSeriesData timeSeriesMetrics timeSeriesSamples timeSeriesSelector ' +
  'timeSeriesTags values view viewExplain viewIfPermitted zeros zeros_mt';

test('no other table function of the engine has external access', async () => {
  const { post } = await freshDatabase();
  const names = (await post('SELECT name FROM system.table_functions')).text.trim().split('\n');
  const inside = INSIDE_TABLE_FUNCTIONS.split(' ');
  for (const name of names.filter(each => !inside.includes(each)))
    expect({ name, text: (await post(`SELECT * FROM ${name}('x')`)).text }).toMatchObject({
      text: expect.stringMatching(/^Code: 344\. /),
    });
});

test.each(['a\nb', 'a\r', '\u2603', '\u0000'])('the query_id %j is refused', async query_id => {
  const { post } = await freshDatabase();
  const answer = await post('SELECT 1', { query_id });
  expect(answer).toMatchObject({
    status: 400,
    headers: { 'x-clickhouse-exception-code': '36' },
  });
});

test('bytes that are not UTF-8 are stored in rows and refused elsewhere', async () => {
  const { post, address } = await freshDatabase();
  await post('CREATE TABLE t (a String) ENGINE = MergeTree ORDER BY a');
  const inserted = await post(Buffer.from("INSERT INTO t VALUES ('\xff\xfe')", 'latin1'));
  expect(inserted.text).toBe('');
  expect((await post('SELECT hex(a) FROM t')).text).toBe('FFFE\n');
  const inUrl = await send(`${address({})}&query=SELECT+'%ff'`);
  const inBody = await post(Buffer.from("SELECT '\xff'", 'latin1'));
  for (const { status, text } of [inUrl, inBody]) {
    expect(status).toBe(400);
    expect(text).toMatch(/not valid UTF-8/);
  }
  expect((await post("SELECT 'é☃', 7 % 4")).text).toBe('é☃\t3\n');
});

test('the result of a statement other than a read is bounded, and the rows of an INSERT … SELECT are not', async () => {
  const { post } = await freshDatabase();
  await post('CREATE TABLE t (a String) ENGINE = Null');
  const rows = `SELECT repeat('x', 1000) FROM numbers(${Math.ceil(OTHER_RESULT_BYTES_MAX / 500)})`;
  expect((await post(`INSERT INTO t ${rows}`)).text).toBe('');
  expect((await post(`WITH 1 AS x INSERT INTO t ${rows}`)).text).toBe('');
  const explain = (columns: number) =>
    post(`EXPLAIN AST INSERT INTO t SELECT ${'a,'.repeat(columns)} a`, {
      max_query_size: '9000000',
      max_ast_elements: '9000000',
      max_parser_backtracks: '9000000',
    });
  expect((await explain(10)).text).toMatch(/InsertQuery/);
  const { status, text } = await explain(250_000);
  expect({ status, text: text.slice(0, 200) }).toMatchObject({
    status: 500,
    text: expect.stringMatching(/^Code: (396|290)\. /),
  });
});

test('a summary contains only known counts', async () => {
  const { post } = await freshDatabase();
  await post('CREATE TABLE t (a UInt64) ENGINE = MergeTree ORDER BY a');
  const summary = async (statement: string) => {
    const { headers } = await post(statement);
    return JSON.parse(String(headers['x-clickhouse-summary'])) as Record<string, string>;
  };
  const selected = await summary('INSERT INTO t SELECT number FROM numbers(5)');
  expect(Object.keys(selected)).toEqual(['elapsed_ns']);
  expect(await summary('INSERT INTO t VALUES (1), (2)')).toMatchObject({ written_rows: '2' });
});
