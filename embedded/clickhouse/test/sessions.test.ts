// Sessions: which state they keep, which they do not, and that it never affects another session.

import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../../test/harness/eventually.ts';
import { send } from '../../../test/harness/http.ts';
import { newDirectory } from '../../../test/harness/run-directory.ts';
import { SESSION_TIMEOUT_MAX_S, SESSIONS_MAX } from '../limits.ts';
import { startClickHouse } from '../process.ts';
import { freshDatabase } from './database.ts';

async function session() {
  const database = await freshDatabase();
  const id = randomUUID();
  const say = async (body: string, parameters: Record<string, string> = {}) => {
    const { text } = await database.post(body, { session_id: id, ...parameters });
    return text;
  };
  return { ...database, id, say };
}

describe('in a session', () => {
  test('temporary tables, SET and USE persist', async () => {
    const { say, ask, id, name } = await session();
    expect(await say('CREATE TEMPORARY TABLE kept (a UInt8)')).toBe('');
    expect(await say('INSERT INTO kept VALUES (1), (2)')).toBe('');
    const rows = await ask(
      { session_id: id, query: 'INSERT INTO kept FORMAT CSV' },
      { body: '3\n4\n' },
    );
    expect(rows.text).toBe('');
    expect(await say('SELECT sum(a) FROM kept')).toBe('10\n');
    await say('SET max_threads = 3');
    expect(await say("SELECT getSetting('max_threads')")).toBe('3\n');
    await say('USE system');
    const { text } = await ask({ session_id: id, query: 'SELECT currentDatabase()', database: '' });
    expect(text).toBe('system\n');
    expect(await say('SELECT currentDatabase()')).toBe(`${name}\n`);
  });

  test('settings, database and format apply only to their request', async () => {
    const { say, name } = await session();
    const state =
      "SELECT getSetting('max_block_size'), getSetting('max_threads'), currentDatabase()";
    await say('SET max_threads = 3');
    const before = await say(state, { database: 'default' });
    expect(await say(state, { max_block_size: '10', max_threads: '2' })).toBe(`10\t2\t${name}\n`);
    expect(await say('SELECT nothing', { max_block_size: '10', max_threads: '2' })).toMatch(/47/);
    expect(await say('SELECT 1', { max_threads: '2', nonsense: '1' })).toMatch(/UNKNOWN_SETTING/);
    expect(await say(state, { database: 'default' })).toBe(before);
    expect(before).toMatch(/^\d+\t3\tdefault\n$/);
  });

  test('limits set in the session do not break the next request', async () => {
    const { say } = await session();
    await say('SET limit = 1, max_result_rows = 1, max_rows_to_read = 10');
    const query = "SELECT getSetting('max_threads'), getSetting('max_block_size')";
    expect(await say(query, { max_threads: '2', max_block_size: '9' })).toBe('2\t9\n');
  });

  test('after a database is dropped, the session uses the default one', async () => {
    const { say, name } = await session();
    await say(`USE ${name}`);
    await say(`DROP DATABASE ${name}`);
    expect(await say('SELECT currentDatabase()', { database: 'default' })).toBe('default\n');
  });

  test('a GET request changes only the state of the session', async () => {
    const { ask, say, id } = await session();
    await say('CREATE TABLE t (a UInt8) ENGINE = Memory');
    const get = async (query: string) =>
      (await ask({ session_id: id, query }, { method: 'GET' })).text;
    expect(await get('CREATE TEMPORARY TABLE kept (a UInt8)')).toBe('');
    expect(await get('SET max_threads = 2')).toBe('');
    expect(await get("SELECT getSetting('max_threads')")).toBe('2\n');
    for (const query of ['INSERT INTO t VALUES (1)', 'DROP TABLE t', 'CREATE TABLE u AS t'])
      expect(await get(query)).toMatch(/^Code: 164\. .*READONLY/);
    expect(await say('INSERT INTO t VALUES (1)')).toBe('');
    expect(await say('SET readonly = 1')).toMatch(/^Code: 48\. /);
    expect(await say('SELECT count() FROM t')).toBe('1\n');
  });
});

describe('between sessions', () => {
  test('no parts are shared', async () => {
    const [one, other] = [await session(), await session()];
    await one.say('CREATE TEMPORARY TABLE kept (a UInt8)');
    await one.say('SET max_threads = 3');
    await one.say("SET param_secret = 'mine'");
    for (const say of [other.say, async (text: string) => (await one.post(text)).text]) {
      expect(await say('SELECT * FROM kept')).toMatch(/^Code: 60\. /);
      expect(await say("SELECT getSetting('max_threads') = 3")).toBe('0\n');
      expect(await say('SELECT {secret:String}')).toMatch(/^Code: 456\. /);
    }
  });

  test('many concurrent requests keep their own settings', async () => {
    const { post } = await freshDatabase();
    const results = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const session_id = randomUUID();
        await post('CREATE TEMPORARY TABLE kept (a UInt8)', { session_id });
        await post(`INSERT INTO kept VALUES (${index})`, { session_id });
        return (await post('SELECT a FROM kept', { session_id })).text;
      }),
    );
    expect(results).toEqual(results.map((_, index) => `${index}\n`));
  });
});

test('one statement at a time: a second one is refused, and the next one is not', async () => {
  const { post, address, id, say } = await session();
  const gone = new AbortController();
  const slow = fetch(
    address({
      session_id: id,
      query_id: id,
      query: 'SELECT sleepEachRow(0.1) FROM numbers(1000000) SETTINGS max_block_size = 1',
    }),
    { method: 'POST', signal: gone.signal },
  ).catch(() => undefined);
  await eventually(async () => {
    const query = `SELECT count() FROM system.processes WHERE query_id = '${id}'`;
    expect((await post(query)).text).toBe('1\n');
  });
  const locked = await post('SELECT 1', { session_id: id });
  expect(locked).toMatchObject({
    status: 500,
    headers: { 'x-clickhouse-exception-code': '373' },
    text: expect.stringContaining('SESSION_IS_LOCKED'),
  });
  gone.abort();
  await slow;
  await eventually(async () => expect(await say('SELECT 1')).toBe('1\n'));
});

test('a client that waits for each response never meets its own lock', async () => {
  const { say } = await session();
  for (let round = 0; round < 50; round += 1)
    expect(await say('SELECT number FROM numbers(3)')).toBe('0\n1\n2\n');
});

test('session_check requires an existing session, and close_session ends it', async () => {
  const { say } = await session();
  expect(await say('SELECT 1', { session_check: '1' })).toMatch(/^Code: 372\. /);
  await say('CREATE TEMPORARY TABLE kept (a UInt8)');
  expect(await say('SELECT count() FROM kept', { session_check: '1' })).toBe('0\n');
  await say('SELECT 1', { close_session: '1' });
  expect(await say('SELECT 1', { session_check: '1' })).toMatch(/^Code: 372\. /);
});

test('an idle session expires', async () => {
  const { say } = await session();
  await say('CREATE TEMPORARY TABLE kept (a UInt8)', { session_timeout: '1' });
  await eventually(async () =>
    expect(await say('SELECT 1', { session_check: '1', session_timeout: '0' })).toMatch(/372/),
  );
});

test.each(['x', '-1', '1.5', String(SESSION_TIMEOUT_MAX_S + 1)])(
  'the session_timeout %s is refused',
  async session_timeout => {
    const { say } = await session();
    expect(await say('SELECT 1', { session_timeout })).toMatch(/^Code: 374\. /);
  },
);

test('their number is limited, and a stop closes them all', async () => {
  const dataDir = join(await newDirectory('clickhouse'), 'data');
  const clickhouse = await startClickHouse({ dataDir, port: 0, isQuiet: true });
  onTestFinished(() => clickhouse.stop());
  const ask = (session_id: string) =>
    send(`${clickhouse.url}/?${new URLSearchParams({ session_id }).toString()}`, {
      body: 'SELECT 1',
    });
  for (let index = 0; index < SESSIONS_MAX; index += 1)
    expect((await ask(`session ${index}`)).status).toBe(200);
  expect(await ask('one more')).toMatchObject({
    status: 503,
    headers: { 'x-clickhouse-exception-code': '202' },
  });
  expect((await ask('session 0')).text).toBe('1\n');
  await clickhouse.stop();
  // The directory is unlocked and intact.
  const again = await startClickHouse({ dataDir, port: 0, isQuiet: true });
  await again.stop();
});
