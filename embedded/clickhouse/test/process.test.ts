// The process: start, stop and recovery after kill -9.

import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { eventually } from '../../../test/harness/eventually.ts';
import { keepAlive, send } from '../../../test/harness/http.ts';
import { newDirectory } from '../../../test/harness/run-directory.ts';
import { type RunningClickHouse, startClickHouse } from '../process.ts';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));

async function start(dataDir: string, port = 0): Promise<RunningClickHouse> {
  const clickhouse = await startClickHouse({ dataDir, port });
  onTestFinished(() => clickhouse.stop());
  return clickhouse;
}

/** Characters that are special in file names and SQL. */
async function dataDirectory(): Promise<string> {
  return join(await newDirectory('clickhouse'), "it's a directory");
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test('has a lower priority than the other programs, and its merges have the lowest', async () => {
  const nice = 10;
  const clickhouse = await startClickHouse({ dataDir: await dataDirectory(), port: 0, nice });
  onTestFinished(() => clickhouse.stop());
  expect(getPriority(clickhouse.pid)).toBe(nice);
  const answer = await fetch(clickhouse.url, {
    method: 'POST',
    body: "SELECT value FROM system.server_settings WHERE name = 'os_threads_nice_value_merge_mutate'",
  });
  expect(await answer.text()).toBe('19\n');
});

test('the error for a port in use names the variable, and no process is left running', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  onTestFinished(() => void taken.close());
  const { port } = taken.address() as AddressInfo;
  const child = spawn(process.execPath, [
    '--disable-warning=ExperimentalWarning',
    MAIN,
    '--data-dir',
    await dataDirectory(),
    '--port',
    String(port),
  ]);
  const text = Buffer.concat(await child.stderr.toArray()).toString('utf8');
  if (child.exitCode === null) await once(child, 'exit');
  expect(child.exitCode).toBe(1);
  expect(text.trim().split('\n')).toHaveLength(1);
  expect(text).toContain(`port ${port} is taken; set CLICKHOUSE_PORT`);
  await expect(startClickHouse({ dataDir: await dataDirectory(), port })).rejects.toThrow(
    'CLICKHOUSE_PORT',
  );
});

test('a directory that another server uses is refused', async () => {
  const directory = await dataDirectory();
  const first = await start(directory);
  await expect(startClickHouse({ dataDir: directory, port: 0 })).rejects.toThrow(
    /lock|already running/i,
  );
  expect((await send(`${first.url}/`, { body: 'SELECT 1' })).text).toBe('1\n');
});

test('data survives a stop, and running statements finish first', async () => {
  const directory = await dataDirectory();
  const first = await start(directory);
  await send(`${first.url}/`, { body: 'CREATE TABLE t (a UInt64) ENGINE = MergeTree ORDER BY a' });
  const slow = send(`${first.url}/`, {
    body: 'INSERT INTO t SELECT number + sleepEachRow(0.5) FROM numbers(4)',
  });
  await eventually(async () => {
    const running = await send(`${first.url}/`, {
      body: "SELECT count() FROM system.processes WHERE query LIKE 'INSERT%'",
    });
    expect(running.text).toBe('1\n');
  });
  await first.stop();
  expect((await slow).status).toBe(200);
  const second = await start(directory, first.port);
  expect((await send(`${second.url}/`, { body: 'SELECT count() FROM t' })).text).toBe('4\n');
});

test('running statements are canceled by a stop, even if their client has disconnected', async () => {
  const { child, post, url } = await startMain();
  await post('CREATE TABLE t (a UInt64) ENGINE = Null');
  const endless = 'FROM numbers(1000000000000) WHERE NOT ignore(sipHash64(number))';
  const leaving = new AbortController();
  const left = fetch(url, {
    method: 'POST',
    body: `INSERT INTO t SELECT number ${endless}`,
    signal: leaving.signal,
  }).catch(() => undefined);
  await eventually(async () => {
    const running = await post(
      "SELECT count() FROM system.processes WHERE query LIKE '%sipHash64%' AND query NOT LIKE '%processes%'",
    );
    expect(running.text).toBe('1\n');
  });
  leaving.abort();
  await left;
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('SIGTERM does not wait for idle connections', async () => {
  const { child, post } = await startMain();
  await post('SELECT 1');
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

/** The program itself, with one open connection. */
async function startMain() {
  const child = fork(MAIN, ['--data-dir', await dataDirectory(), '--port', '0']);
  onTestFinished(() => void child.kill('SIGKILL'));
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  const url = `http://127.0.0.1:${port}/`;
  const agent = keepAlive(1);
  onTestFinished(() => agent.destroy());
  return { child, url, post: (body: string) => send(url, { body, agent }) };
}

test('kill -9 during inserts: whole inserts or nothing, and a clean start', async () => {
  const directory = await dataDirectory();
  let clickhouse = await start(directory);
  await send(`${clickhouse.url}/`, {
    body: `CREATE TABLE t (batch UInt32, a UInt64) ENGINE = MergeTree ORDER BY a
           SETTINGS non_replicated_deduplication_window = 1000`,
  });
  const rowsOfBatch = 200_000;
  const query = 'INSERT INTO t FORMAT CSV';
  const acknowledged = new Set<number>();
  for (let round = 0; round < 3; round += 1) {
    let isKilled = false;
    const insertUntilKilled = async (lane: number) => {
      for (let index = 0; !isKilled; index += 1) {
        const batch = round * 10_000 + lane * 1000 + index;
        const body = `${batch},1\n`.repeat(rowsOfBatch);
        const address = `${clickhouse.url}/?${new URLSearchParams({ query }).toString()}`;
        const answer = await send(address, { body }).catch(() => undefined);
        if (answer?.status === 200) acknowledged.add(batch);
      }
    };
    const lanes = Promise.all([0, 1, 2].map(insertUntilKilled));
    await eventually(() => expect(acknowledged.size).toBeGreaterThan(3 * (round + 1)), {
      intervalMs: 10,
    });
    // A connection whose body is incomplete.
    const half = connect(clickhouse.port, '127.0.0.1');
    half.on('error', () => undefined);
    half.write(
      `POST /?query=INSERT+INTO+t+FORMAT+CSV HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 999999\r\n\r\n${'4000000000,1\n'.repeat(5000)}`,
    );
    await eventually(async () => expect(await readdir(join(directory, 'bodies'))).not.toEqual([]), {
      intervalMs: 5,
    });
    isKilled = true;
    clickhouse.kill();
    await lanes;
    clickhouse = await start(directory, clickhouse.port);
    expect(await readdir(join(directory, 'bodies'))).toEqual([]);
  }
  const { text } = await send(`${clickhouse.url}/`, {
    body: 'SELECT batch, count() FROM t GROUP BY batch FORMAT JSONCompactEachRow',
  });
  const counts = new Map(
    text
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as [number, number]),
  );
  for (const [batch, count] of counts)
    expect({ batch, count }).toEqual({ batch, count: rowsOfBatch });
  expect([...acknowledged].filter(batch => !counts.has(batch))).toEqual([]);
});

test('files of a run that was killed are gone after a start', async () => {
  const directory = await dataDirectory();
  const first = await start(directory);
  await writeFile(join(directory, 'bodies', 'left-over'), 'x');
  first.kill();
  await start(directory);
  expect(await readdir(join(directory, 'bodies'))).toEqual([]);
});

test('the process reports when it exits unexpectedly, but not when it is stopped', async () => {
  const codes: (number | null)[] = [];
  const onExit = (code: number | null) => void codes.push(code);
  const first = await startClickHouse({ dataDir: await dataDirectory(), port: 0, onExit });
  process.kill(first.pid, 'SIGKILL');
  await eventually(() => expect(codes).toEqual([null]));
  const second = await startClickHouse({ dataDir: await dataDirectory(), port: 0, onExit });
  await second.stop();
  expect(codes).toEqual([null]);
});

test('the process gets only a few environment variables, and no secrets', async () => {
  vi.stubEnv('SECRET_OF_OURS', 'secret');
  onTestFinished(() => void vi.unstubAllEnvs());
  const { pid } = await start(await dataDirectory());
  const environment = (await readFile(`/proc/${pid}/environ`, 'utf8')).split('\0');
  expect(environment).toContain(`PATH=${process.env.PATH}`);
  expect(environment).not.toContain('SECRET_OF_OURS=secret');
});

test('the process exits with its parent', async () => {
  const parent: ChildProcess = fork(new URL('parent-program.ts', import.meta.url), [
    await dataDirectory(),
  ]);
  const [message] = (await once(parent, 'message')) as [{ pid: number }];
  expect(isRunning(message.pid)).toBe(true);
  parent.kill('SIGKILL');
  await eventually(() => expect(isRunning(message.pid)).toBe(false));
});
