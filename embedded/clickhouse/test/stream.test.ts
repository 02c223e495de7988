// Results of any size, in bounded memory, and never truncated silently.

import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../../test/harness/eventually.ts';
import { residentBytes } from '../../../test/harness/resident-bytes.ts';
import { newDirectory } from '../../../test/harness/run-directory.ts';
import { startClickHouse } from '../process.ts';
import { freshDatabase } from './database.ts';

const MEBIBYTE = 1024 * 1024;

function stream(url: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false }, resolve).on('error', reject);
  });
}

test('a result of 1 GB uses little memory, and a slow reader slows it down', async () => {
  const clickhouse = await startClickHouse({
    dataDir: join(await newDirectory('clickhouse'), 'data'),
    port: 0,
  });
  onTestFinished(() => clickhouse.stop());
  const { ask } = await freshDatabase(clickhouse.url);
  await ask({ query: 'SELECT number FROM numbers(5000000) FORMAT Null' });
  const before = residentBytes(clickhouse.pid);

  const query = "SELECT number, repeat('x', 200) FROM numbers(5000000) FORMAT TSV";
  const response = await stream(`${clickhouse.url}/?${new URLSearchParams({ query }).toString()}`);
  // The result is not read, so the engine must stop.
  const rowsRead = async () =>
    Number(
      (
        await ask({
          query:
            "SELECT read_rows FROM system.processes WHERE query LIKE '%repeat(%' AND query NOT LIKE '%processes%'",
        })
      ).text,
    );
  let last = -1;
  await eventually(async () => {
    const now = await rowsRead();
    const isStill = now === last;
    last = now;
    expect(isStill && now > 0).toBe(true);
  });
  expect(last).toBeLessThan(2_500_000);

  let bytes = 0;
  let most = 0;
  let nextLook = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes < nextLook) continue;
    nextLook = bytes + 100 * MEBIBYTE;
    most = Math.max(most, residentBytes(clickhouse.pid));
  }
  expect(bytes).toBe(5_000_000 * 202 + 33_888_890);
  expect(most - before).toBeLessThan(400 * MEBIBYTE);
});

test('an early error has its own status; a late error is appended to the body, which stays incomplete', async () => {
  const { ask, address } = await freshDatabase();
  const early = await ask({
    query: 'SELECT throwIf(number = 1000) FROM numbers(2000) SETTINGS max_block_size = 10',
  });
  expect(early.status).toBe(500);
  expect(early.text).toMatch(/^Code: 395\. /);

  const query =
    'SELECT throwIf(number = 3000000) FROM numbers(4000000) SETTINGS max_block_size = 10000';
  const response = await stream(address({ query }));
  expect(response.statusCode).toBe(200);
  const chunks: Buffer[] = [];
  response.on('data', (chunk: Buffer) => chunks.push(chunk));
  const [error] = (await once(response, 'error')) as [Error];
  expect(error.message).toBe('aborted');
  expect(response.complete).toBe(false);
  const tag = String(response.headers['x-clickhouse-exception-tag']);
  const text = Buffer.concat(chunks).toString('utf8');
  const block = new RegExp(
    `\\r\\n__exception__\\r\\n${tag}\\r\\n(Code: 395\\..*\\n)(\\d+) ${tag}\\r\\n__exception__\\r\\n$`,
    's',
  );
  const [, message = '', length] = block.exec(text) ?? [];
  expect(Number(length)).toBe(Buffer.byteLength(message));
});

test('wait_end_of_query holds the response back until it is complete', async () => {
  const { ask } = await freshDatabase();
  const query =
    'SELECT throwIf(number = 3000000) FROM numbers(4000000) SETTINGS max_block_size = 10000';
  expect(await ask({ query, wait_end_of_query: '1' })).toMatchObject({ status: 500 });
});

test('a query is canceled when its client disconnects', async () => {
  const { address, post } = await freshDatabase();
  const count = async (id: string) =>
    (await post(`SELECT count() FROM system.processes WHERE query_id = '${id}'`)).text;
  for (const [id, query] of [
    ['reading', 'SELECT number FROM numbers(1000000000000)'],
    ['computing', 'SELECT count() FROM numbers(1000000000000) WHERE NOT ignore(sipHash64(number))'],
  ] as const) {
    const request = get(address({ query, query_id: id }), { agent: false });
    request.on('error', () => undefined);
    await eventually(async () => expect(await count(id)).toBe('1\n'), { intervalMs: 20 });
    request.destroy();
    await eventually(async () => expect(await count(id)).toBe('0\n'));
  }
});

test('every format is a complete document', async () => {
  const { ask } = await freshDatabase();
  const query = 'SELECT number AS n FROM numbers(200000)';
  const text = async (format: string) => (await ask({ query: `${query} FORMAT ${format}` })).text;
  expect(JSON.parse(await text('JSON'))).toMatchObject({ rows: 200_000 });
  expect((await text('XML')).match(/<\?xml/g)).toHaveLength(1);
  expect((await text('Pretty')).match(/Showed 1000 out of 200000 rows/g)).toHaveLength(1);
  expect(await text('Null')).toBe('');
  expect((await text('Values')).split('),(')).toHaveLength(200_000);
});
