// Requests must not see or block each other.

import { randomBytes } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../../test/harness/eventually.ts';
import { READ_SLOTS } from '../limits.ts';
import { type Database, freshDatabase } from './database.ts';

test('settings, parameters, USE and temporary tables apply only to their request', async () => {
  const { post, name } = await freshDatabase();
  const other = await freshDatabase();
  await post('SELECT 1', { max_threads: '7', param_x: 'leak', readonly: '1' });
  await post('SET max_threads = 7, readonly = 1');
  await post(`USE ${other.name}`);
  await post('CREATE TEMPORARY TABLE temporary (a UInt8)');
  for (let attempt = 0; attempt < 2 * READ_SLOTS; attempt += 1) {
    const { text } = await post(
      "SELECT getSetting('max_threads') = 7, getSetting('readonly'), currentDatabase()",
    );
    expect(text).toBe(`0\t0\t${name}\n`);
  }
  expect((await post('SELECT {x:String}')).headers['x-clickhouse-exception-code']).toBe('456');
  expect((await post('SELECT * FROM temporary')).headers['x-clickhouse-exception-code']).toBe('60');
});

test('concurrent requests get their own parameters', async () => {
  const { ask } = await freshDatabase();
  const answers = await Promise.all(
    Array.from({ length: 150 }, async (_, index) => {
      const query = "SELECT {x:String}, getSetting('max_threads')";
      const { text } = await ask({
        query,
        param_x: `value ${index}`,
        max_threads: String(1 + (index % 5)),
      });
      return text === `value ${index}\t${1 + (index % 5)}\n`;
    }),
  );
  expect(answers.filter(isRight => !isRight)).toEqual([]);
});

/** Queries that run until they are killed. */
async function endless(database: Database, count: number) {
  const mark = randomBytes(8).toString('hex');
  const gone = new AbortController();
  onTestFinished(() => gone.abort());
  const running = Array.from({ length: count }, (_, index) =>
    fetch(
      database.address({
        query: 'SELECT sleepEachRow(0.1) FROM numbers(1000000) SETTINGS max_block_size = 1',
        query_id: `${mark} ${index}`,
      }),
      { signal: gone.signal, method: 'POST' },
    ).then(response => response.text()),
  );
  const countRunning = async () => {
    const query = `SELECT count() FROM system.processes WHERE query_id LIKE '${mark}%'`;
    return Number((await database.post(query)).text);
  };
  return { mark, gone, running, countRunning };
}

test('slow queries delay neither inserts nor pings', async () => {
  const database = await freshDatabase();
  await database.post('CREATE TABLE t (a UInt8) ENGINE = MergeTree ORDER BY a');
  // One slot is left for the queries of the test.
  const { gone, running, countRunning } = await endless(database, READ_SLOTS - 1);
  await eventually(async () => expect(await countRunning()).toBe(READ_SLOTS - 1));
  // The last slot as well.
  const last = fetch(
    database.address({
      query: 'SELECT sleepEachRow(0.1) FROM numbers(1000000) SETTINGS max_block_size = 1',
    }),
    {
      signal: gone.signal,
      method: 'POST',
    },
  );
  for (let index = 0; index < 20; index += 1) {
    expect(
      (await database.ask({ query: 'INSERT INTO t FORMAT CSV' }, { body: '1\n' })).status,
    ).toBe(200);
    expect(await database.client.ping()).toEqual({ success: true });
  }
  // All clients disconnect, and every slot becomes free.
  const left = Promise.allSettled([...running, last]);
  gone.abort();
  await left;
  await eventually(async () => expect(await countRunning()).toBe(0));
  expect((await database.post('SELECT count() FROM t')).text).toBe('20\n');
});

test('a disconnecting client does not end queries of other clients', async () => {
  const { address } = await freshDatabase();
  const ask = (query: string, signal?: AbortSignal) =>
    fetch(address({ query }), { method: 'POST', ...(signal && { signal }) });
  let isDone = false;
  // Each client disconnects just before its query ends, and the next ones use its pipe immediately.
  const leaving = async () => {
    while (!isDone) {
      const gone = new AbortController();
      await ask('SELECT number FROM numbers(230000)', gone.signal).catch(() => undefined);
      gone.abort();
    }
  };
  const lanes = [1, 2, 3].map(leaving);
  const texts: string[] = [];
  const staying = async () => {
    for (let round = 0; round < 60; round += 1)
      texts.push(await (await ask('SELECT sum(sleepEachRow(0.01)) FROM numbers(3)')).text());
  };
  await Promise.all([1, 2, 3].map(staying)).finally(() => {
    isDone = true;
  });
  await Promise.all(lanes);
  expect(new Set(texts)).toEqual(new Set(['0\n']));
});

test('KILL QUERY finds a query by its query_id', async () => {
  const database = await freshDatabase();
  const { mark, running, countRunning } = await endless(database, 1);
  await eventually(async () => expect(await countRunning()).toBe(1));
  await database.post(`KILL QUERY WHERE query_id = '${mark} 0'`);
  // Whether or not the response had begun, it reports the cancellation.
  const text = await running[0]?.catch((error: unknown) => `cut off: ${String(error)}`);
  expect(text).toMatch(/QUERY_WAS_CANCELLED|cut off/);
  await eventually(async () => expect(await countRunning()).toBe(0));
});

test('system.processes shows query ids also behind an alias and in a join', async () => {
  const { ask } = await freshDatabase();
  for (const query of [
    "SELECT p.query_id FROM system.processes AS p WHERE p.query_id = 'look'",
    "SELECT processes.query_id FROM system.processes WHERE query_id = 'look'",
    "SELECT p.query_id FROM (SELECT 1) AS one JOIN `system`.`processes` p ON p.query_id = 'look'",
    "SELECT query_id FROM (SELECT * FROM system.processes) WHERE query_id = 'look'",
  ])
    expect((await ask({ query, query_id: 'look' })).text).toBe('look\n');
});

test('one query cannot use all memory', async () => {
  const { ask } = await freshDatabase();
  const query = 'SELECT uniqExact(number) FROM numbers(100000000)';
  const answer = await ask({ query, max_memory_usage: '50000000' });
  expect(answer.headers['x-clickhouse-exception-code']).toBe('241');
  const limit = await ask({ query: "SELECT getSetting('max_memory_usage') > 0" });
  expect(limit.text).toBe('1\n');
  const server =
    "SELECT value != '0' FROM system.server_settings WHERE name = 'max_server_memory_usage' AND changed";
  expect((await ask({ query: server })).text).toBe('1\n');
});
