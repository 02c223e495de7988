// The guarantees of an insert: atomic, one part, and once per token.

import { createHash, randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../../test/harness/eventually.ts';
import { send } from '../../../test/harness/http.ts';
import { type Database, freshDatabase } from './database.ts';

async function table(engine = 'MergeTree ORDER BY a'): Promise<Database> {
  const database = await freshDatabase();
  const created = await database.post(
    `CREATE TABLE t (a UInt64, b String) ENGINE = ${engine}
     SETTINGS non_replicated_deduplication_window = 1000`,
  );
  expect(created.text).toBe('');
  return database;
}

/** RowBinary of (UInt64, String). */
function rowBinary(count: number, text: string): Buffer {
  const row = Buffer.alloc(8 + 1 + text.length);
  row.writeUInt8(text.length, 8);
  row.write(text, 9);
  const rows = Buffer.alloc(count * row.length, row);
  for (let index = 0; index < count; index += 1)
    rows.writeBigUInt64LE(BigInt(index), index * row.length);
  return rows;
}

const parts = 'SELECT rows FROM system.parts WHERE database = currentDatabase() AND active';

describe('RowBinary', () => {
  test('more rows than a default block holds are one part, and once per token', async () => {
    const { ask, post } = await table();
    const body = rowBinary(1_500_000, 'some text');
    const insert = (token: string) =>
      ask(
        { query: 'INSERT INTO t (a, b) FORMAT RowBinary', insert_deduplication_token: token },
        { body },
      );
    for (const token of ['one', 'one', 'two']) expect((await insert(token)).status).toBe(200);
    expect((await post('SELECT count(), uniqExact(a) FROM t')).text).toBe('3000000\t1500000\n');
    await post('SYSTEM STOP MERGES t');
    expect((await post(parts)).text).toBe('1500000\n1500000\n');
  });

  test('rows that begin with the bytes of spaces or line breaks are unchanged', async () => {
    const { ask, post } = await table();
    for (const first of [0x0a, 0x0d0a, 0x20, 0x3b, 0x2f2a]) {
      const body = rowBinary(1, "it's; -- /*");
      body.writeBigUInt64LE(BigInt(first), 0);
      await ask({ query: 'INSERT INTO t FORMAT RowBinary' }, { body });
    }
    const { text } = await post('SELECT a FROM t ORDER BY a');
    expect(text).toBe('10\n32\n59\n3338\n12074\n');
  });

  test('behind the statement in the body, however it is cut', async () => {
    const { ask, post } = await table();
    const head = 'INSERT /* é; */ INTO `t` (a, b) SETTINGS max_threads = 1 FORMAT RowBinary\n';
    const body = Buffer.concat([Buffer.from(head), rowBinary(2000, 'x')]);
    const chunks = [...body.subarray(0, 90)].map(byte => Buffer.from([byte]));
    await ask({}, { chunks: [...chunks, body.subarray(90)] });
    expect((await post('SELECT count(), sum(a) FROM t')).text).toBe('2000\t1999000\n');
  });

  test('a partition is a part', async () => {
    const { ask, post } = await table('MergeTree PARTITION BY a % 3 ORDER BY a');
    const parameters = {
      query: 'INSERT INTO t FORMAT RowBinary',
      insert_deduplication_token: 'token',
    };
    for (let attempt = 0; attempt < 2; attempt += 1)
      await ask(parameters, { body: rowBinary(3000, 'x') });
    expect((await post(parts)).text).toBe('1000\n1000\n1000\n');
  });
});

describe('formats', () => {
  test.each([
    'Native',
    'RowBinaryWithNamesAndTypes',
    'Parquet',
    'ArrowStream',
    'JSONCompactEachRow',
    'CSVWithNames',
    'JSON',
  ])('the output in format %s can be inserted again', async format => {
    const { address, post } = await table();
    const query = `SELECT number AS a, concat('é''"\\\\\n', toString(number)) AS b FROM numbers(70000) FORMAT ${format}`;
    const output = await fetch(address({}), { method: 'POST', body: query });
    expect(output.status).toBe(200);
    const body = new Uint8Array(await output.arrayBuffer());
    const inserted = await fetch(address({ query: `INSERT INTO t FORMAT ${format}` }), {
      method: 'POST',
      body,
    });
    expect(await inserted.text()).toBe('');
    const { text } = await post(
      `SELECT count(), countIf(b = concat('é''"\\\\\n', toString(a))) FROM t`,
    );
    expect(text).toBe('70000\t70000\n');
  });

  test('VALUES, short and long, with expressions, DEFAULT and parameters', async () => {
    const { post } = await freshDatabase();
    await post("CREATE TABLE t (a UInt64, b String DEFAULT 'd') ENGINE = MergeTree ORDER BY a");
    await post("INSERT INTO t VALUES (1, DEFAULT), (1 + 1, upper('x;')), (3, {p:String});", {
      param_p: 'param',
    });
    expect((await post('SELECT * FROM t ORDER BY a FORMAT CSV')).text).toBe(
      '1,"d"\n2,"X;"\n3,"param"\n',
    );
    const many = Array.from({ length: 100_000 }, (_, index) => `(${index + 10}, 'it''s ${index}')`);
    const long = await post(`INSERT INTO t VALUES ${many.join(', ')}`);
    expect(long.text).toBe('');
    expect((await post("SELECT count(), countIf(b LIKE 'it''s %') FROM t")).text).toBe(
      '100003\t100000\n',
    );
  });

  test('another statement behind VALUES is refused', async () => {
    const { post } = await table();
    const answer = await post("INSERT INTO t VALUES (1, 'a'); DROP TABLE t");
    expect(answer.headers['x-clickhouse-exception-code']).toBe('62');
    expect((await post('SELECT count() FROM t')).text).toBe('0\n');
  });

  test('INSERT … SELECT, also from input()', async () => {
    const { ask, post } = await table();
    await post("INSERT INTO t SELECT number, 'n' FROM numbers(5)");
    const query =
      "INSERT INTO t SELECT x + 100, upper(y) FROM input('x UInt8, y String') WHERE x != 2 FORMAT CSV";
    await ask({ query }, { body: '1,a\n2,b\n3,c\n' });
    expect((await post('SELECT * FROM t WHERE a > 50 ORDER BY a FORMAT CSV')).text).toBe(
      '101,"A"\n103,"C"\n',
    );
    expect((await post('SELECT count() FROM t')).text).toBe('7\n');
  });
});

test('an invalid row causes the whole insert to be refused', async () => {
  const { ask, post } = await table();
  const body = `${'{"a":1,"b":"x"}\n'.repeat(5000)}{"a":"no number","b":"x"}\n`;
  const answer = await ask({ query: 'INSERT INTO t FORMAT JSONEachRow' }, { body });
  expect({ status: answer.status, code: answer.headers['x-clickhouse-exception-code'] }).toEqual({
    status: 400,
    code: '27',
  });
  expect(answer.text).toContain('(at row 5001)');
  expect((await post('SELECT count() FROM t')).text).toBe('0\n');
});

test.each(['Content-Length', 'chunked'])('a truncated body is not inserted (%s)', async framing => {
  const { address, post } = await table();
  const url = new URL(address({ query: 'INSERT INTO t FORMAT CSV' }));
  const rows = '1,abc\n'.repeat(1000);
  const head = `POST ${url.pathname}${url.search} HTTP/1.1\r\nHost: 127.0.0.1\r\n`;
  const request =
    framing === 'chunked'
      ? `${head}Transfer-Encoding: chunked\r\n\r\n${rows.length.toString(16)}\r\n${rows}\r\n`
      : `${head}Content-Length: ${rows.length * 2}\r\n\r\n${rows}`;
  const socket = connect(Number(url.port), url.hostname);
  await new Promise<void>((resolve, reject) => {
    socket.on('error', reject);
    socket.write(request, () => resolve());
  });
  const ended = new Promise(resolve => socket.once('close', resolve));
  socket.end();
  socket.resume();
  await ended;
  // A complete insert sent later has been stored, so the truncated one would have been as well.
  await send(url.href, { body: '7,whole\n' });
  expect((await post('SELECT a, b FROM t')).text).toBe('7\twhole\n');
});

test('concurrent inserts are all stored once', async () => {
  const { ask, post } = await table();
  const insert = async (index: number) => {
    const body = rowBinary(500, `insert ${index}`);
    const token = createHash('sha256').update(body).digest('hex');
    const parameters = {
      query: 'INSERT INTO t FORMAT RowBinary',
      insert_deduplication_token: token,
    };
    const answers = await Promise.all([ask(parameters, { body }), ask(parameters, { body })]);
    expect(answers.map(answer => answer.status)).toEqual([200, 200]);
  };
  await Promise.all(Array.from({ length: 30 }, (_, index) => insert(index)));
  expect((await post('SELECT count(), uniqExact(b) FROM t')).text).toBe('15000\t30\n');
});

test('an insert is in system.processes under its query_id until it is done', async () => {
  const { post, ask } = await table();
  const id = randomBytes(8).toString('hex');
  await post('CREATE TABLE slow (x UInt8) ENGINE = MergeTree ORDER BY x');
  await post('CREATE MATERIALIZED VIEW brake ENGINE = Null AS SELECT sleepEachRow(1) FROM slow');
  let isDone = false;
  const inserting = ask({ query: 'INSERT INTO slow FORMAT CSV', query_id: id }, { body: '1\n2\n' });
  const done = inserting.then(() => {
    isDone = true;
  });
  const probe = {
    query: 'SELECT count() FROM system.processes WHERE query_id = {id:String}',
    param_id: id,
  };
  await eventually(async () => expect((await ask(probe)).text).toBe('1\n'), { intervalMs: 20 });
  expect(isDone).toBe(false);
  await done;
  expect((await ask(probe)).text).toBe('0\n');
});
